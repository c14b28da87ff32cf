#include "core/text/pipeline/regex.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace equipatch {
namespace {

class Literal : public Pattern {
 public:
  explicit Literal(std::string text) : m_text(std::move(text)) {}

  std::vector<ByteSpan> matches(std::string_view text) const override {
    std::vector<ByteSpan> result;
    if (m_text.empty()) return result;
    for (std::size_t at = text.find(m_text); at != std::string_view::npos;
         at = text.find(m_text, at + m_text.size()))
      result.push_back({at, at + m_text.size()});
    return result;
  }

 private:
  std::string m_text;
};

class Expression : public Pattern {
 public:
  explicit Expression(const std::string& expression) : m_regex(expression) {}

  std::vector<ByteSpan> matches(std::string_view text) const override {
    return m_regex.matches(text);
  }

 private:
  Regex m_regex;
};

}  // namespace

AlignedText Pattern::replace(const AlignedText& text, std::string_view content) const {
  const std::vector<ByteSpan> found = matches(text.text());
  if (found.empty()) return text;
  TextRewriter rewriter(text);
  for (const ByteSpan& match : found) {
    rewriter.keep(match.begin - rewriter.position());
    rewriter.replace(match.end - match.begin, content);
  }
  return rewriter.finish();
}

std::shared_ptr<const Pattern> Pattern::literal(const std::string& text) {
  return std::make_shared<Literal>(text);
}

std::shared_ptr<const Pattern> Pattern::regex(const std::string& expression) {
  return std::make_shared<Expression>(expression);
}

std::shared_ptr<const Pattern> Pattern::parse(const Json* json,
                                              const std::string& place) {
  if (json && json->is_object() && json->size() == 1 && json->begin()->is_string()) {
    const auto text = json->begin()->get<std::string>();
    if (json->begin().key() == "String") return literal(text);
    if (json->begin().key() == "Regex") return regex(text);
  }
  throw badInput(place +
                 " should have a pattern {\"String\": …} or {\"Regex\": …}, found " +
                 (json ? json->type_name() : "none"));
}

}  // namespace equipatch
