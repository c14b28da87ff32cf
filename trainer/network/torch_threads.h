#pragma once

namespace equipatch {

/// From now on libtorch uses no other thread for what this thread asks of it.
void computeAlone();

}  // namespace equipatch
