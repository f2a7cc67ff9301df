// Dynamic shared memory that a kernel lays out anew from step to step. Each layout has a number, the first is 0, and its parts
// do not overlap each other. On a GPU these words are no code, and of their arguments only `p` is evaluated.
//
// HW_SHARED_LAYOUT(layout)      from here on, the parts of that layout may be used and no others, which hold nothing any more.
//                               For all threads of the block, with a barrier of the block between two layouts
// HW_PART(p, count, layout)     dev::shared_part(p, count), of that layout. It may be taken before the layout is there
// HW_COUNTED_AT(p, offset)      p, a pointer that was made from one to a part and lies `offset` elements after the start of
//                               the dynamic shared memory, for other parts to be counted from
#pragma once

#include "device/kernel.h"

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HW_SHARED_LAYOUT(layout) static_cast<void>(0)
#define HW_PART(p, count, layout) (p)
#define HW_COUNTED_AT(p, offset) (p)
#else
#define HW_SHARED_LAYOUT(layout) dev::shared_layout(layout)
#define HW_PART(p, count, layout) dev::shared_part(p, count, layout)
#define HW_COUNTED_AT(p, offset) (dev::start_of_shared(p) + (offset))
#endif
