#include "trainer/network/torch_threads.h"

#include <ATen/Parallel.h>

namespace equipatch {

void computeAlone() {
  at::set_num_threads(1);
}

}  // namespace equipatch
