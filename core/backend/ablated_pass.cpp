// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/ablated_pass.h"

#include <utility>

#include "core/backend/image_rows.h"
#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/record/context_effect.h"

namespace equipatch {
namespace {

/// Returns `work()`. An Error{Numeric} that it throws gets the name of this pass.
template <typename Work>
auto inAblatedPass(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Numeric) throw;
    throw error.within("the ablated pass");
  }
}

}  // namespace

AblatedPass::AblatedPass(const Session& session, const RunRequest& request)
    : AblatedPass(session, request, bareRequest(request, request.steps)) {}

AblatedPass::AblatedPass(const Session& session, const RunRequest& request,
                         RunRequest text)
    : m_session(session),
      m_absorbed(request.absorbed),
      m_promptLength(std::ssize(request.prompt)),
      m_images(std::move(text.images)),
      m_context(idsOf(text.prompt)),
      m_cache(transformerOf(session).makeCache(std::ssize(m_context) + request.steps)),
      m_next(m_promptLength - 1) {
  m_context.pop_back();  // the prompt's last token is the first x
}

const Transformer& AblatedPass::transformer() const {
  return transformerOf(m_session);
}

void AblatedPass::prefill(Progress& progress) {
  BlockHooks none;
  PromptProgress parts(progress, m_images);
  m_imageRows = imageRows(m_session, m_images, parts.images);
  inAblatedPass([&] {
    return transformer().prefill(m_context, m_cache, none, transformer().arithmetic(),
                                 parts.rest, m_imageRows);
  });
}

void AblatedPass::renew(Progress& progress) {
  inAblatedPass([&] {
    transformer().renew(m_context, std::ssize(m_context) + 1, m_cache,
                        transformer().arithmetic(), progress, m_imageRows);
  });
}

Tensor AblatedPass::run(TokenId x, LayerProgress* progress) {
  return inAblatedPass([&] {
    const Tensor out = forward(x, progress);
    return transformer().logits(out, transformer().arithmetic()).select(0, 0);
  });
}

void AblatedPass::feed(TokenId x, Progress& progress) {
  LayerProgress layers(progress, "Reading a token");
  inAblatedPass([&] { return forward(x, &layers); });
}

Tensor AblatedPass::forward(TokenId x, LayerProgress* progress) {
  const Arithmetic& arithmetic = transformer().arithmetic();
  const std::int64_t length = std::ssize(m_context);
  BlockHooks none;
  const Tensor out = transformer().forward(transformer().embedRows(x, length, 1),
                                           {.contextRows = 1,
                                            .firstPosition = length,
                                            .cache = &m_cache,
                                            .progress = progress},
                                           none, arithmetic);
  if (m_absorbed.keeps(m_next++, m_promptLength))
    m_context.push_back(x);
  else
    m_cache.setLength(length);
  return out;
}

}  // namespace equipatch
