// What the build found: compression, GraphML and pictures.
#include "hopwave/io.h"

namespace hopwave::inline v0_1 {

Features build_features() {
  Features features;
#ifdef HOPWAVE_WITH_ZLIB
  features.zlib = true;
#endif
#ifdef HOPWAVE_WITH_ZSTD
  features.zstd = true;
#endif
#ifdef HOPWAVE_WITH_EXPAT
  features.expat = true;
#endif
#ifdef HOPWAVE_WITH_PNG
  features.png = true;
#endif
  return features;
}

}  // namespace hopwave::inline v0_1
