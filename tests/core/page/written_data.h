// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/page/page_writer.h"

namespace equipatch::test {

/// The text that `write` writes with the PageWriter that it gets.
template <typename Write>
std::string writtenText(Write write) {
  std::string text;
  SilentProgress silent;
  PageWriter writer([&](std::string_view piece) { text += piece; }, silent, 1);
  write(writer);
  return text;
}

template <typename Write>
PageObject writtenData(Write write) {
  return PageObject::parse(writtenText(write));
}

}  // namespace equipatch::test
