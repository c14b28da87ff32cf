#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "core/run/memory_shortage.h"

namespace equipatch {

/// What the user wants with a model that may not fit.
struct ShortageAnswer {
  bool load = false;
  std::optional<DType> dtype;  ///< another one than was asked for
};

/// Asks in a box beside the window, which goes on; `answered` is called once, from the
/// event loop. Offers the widest dtype that fits, loading all the same, and not loading.
void askAboutShortage(QWidget& parent, const MemoryShortage& shortage,
                      std::function<void(ShortageAnswer)> answered);

}  // namespace equipatch
