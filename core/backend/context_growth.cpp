// SPDX-License-Identifier: GPL-3.0-or-later
#include <c10/core/InferenceMode.h>

#include <string>

#include "core/backend/image_rows.h"
#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/lab/words.h"

namespace equipatch {

std::vector<std::vector<double>> contextGrowth(const Session& session,
                                               const RunRequest& request,
                                               PositionRange grown, Progress& progress) {
  const auto last = static_cast<std::int64_t>(request.prompt.size()) - 1;
  if (grown.first < 0 || grown.last < grown.first || grown.last >= last)
    throw badInput("positions " + std::to_string(grown.first) + " to " +
                   std::to_string(grown.last) +
                   " cannot be added to the context; expected a range before the last "
                   "token's position, which is " +
                   std::to_string(last));
  checkTextLength(session.spec(), request.prompt.size());
  checkImages(session, static_cast<std::size_t>(last), request.images);
  checkVocabulary(session.spec(), request.prompt, request.images);
  const c10::InferenceMode inference;
  PartialProgress seeing(progress, 0.0, 0.3), reading(progress, 0.3, 0.5);
  const GivenRows images = imageRows(session, request.images, seeing);
  const auto count = static_cast<double>(grown.last - grown.first + 1);
  const auto onToken = [&](std::size_t token) {
    progress.throwIfStopped();
    const auto done = static_cast<double>(static_cast<std::int64_t>(token) - grown.first);
    progress.report(0.5 + 0.5 * done / count, "Growing the context");
  };
  return growContext(transformerOf(session), idsOf(request.prompt), onToken,
                     {.first = static_cast<std::size_t>(grown.first),
                      .end = static_cast<std::size_t>(grown.last) + 1,
                      .images = &images,
                      .progress = &reading})
      .changes;
}

}  // namespace equipatch
