// The commit from which this library was built; benchmark files contain it.
#pragma once

namespace hopwave::inline v0_1 {
extern const char* const source_commit;  ///< short hash, with "-dirty" if the tree had changes; "unknown" outside git
}
