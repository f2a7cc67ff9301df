// Where a build has what its tests look at. They are in one source (main.cpp) and on no other command line, so that a
// compiler's cache serves checkouts in other folders.
#pragma once

namespace hopwave::testing::places {

extern const char* const tests;        ///< the folder tests/
extern const char* const shared_data;  ///< graphs with known answers, beside the checkout; may be missing
extern const char* const tool;         ///< the built tool

}  // namespace hopwave::testing::places
