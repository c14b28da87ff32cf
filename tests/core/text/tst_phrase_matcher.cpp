#include "core/text/phrase_matcher.h"

#include <random>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_phrase_matcher : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void prefersTheLeftmostThenTheLongest();
  void agreesWithTryingEveryPhrase();
  void staysLinear();
};

namespace {

/// "phrase@begin" of every match.
std::string found(const PhraseMatcher& matcher, const std::string& text) {
  std::string result;
  for (const auto& match : matcher.matches(text))
    result += std::to_string(match.phrase) + "@" + std::to_string(match.range.begin) +
              "-" + std::to_string(match.range.end) + " ";
  return result;
}

std::string foundByTrying(const std::vector<std::string>& phrases,
                          const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t best = phrases.size();
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      const bool longer =
          best == phrases.size() || phrases[i].size() > phrases[best].size();
      if (!phrases[i].empty() && longer &&
          text.compare(at, phrases[i].size(), phrases[i]) == 0)
        best = i;
    }
    if (best == phrases.size()) {
      ++at;
      continue;
    }
    const std::size_t end = at + phrases[best].size();
    result +=
        std::to_string(best) + "@" + std::to_string(at) + "-" + std::to_string(end) + " ";
    at = end;
  }
  return result;
}

}  // namespace

void tst_phrase_matcher::prefersTheLeftmostThenTheLongest() {
  const PhraseMatcher matcher({"ab", "abc", "bcde", "", "  ", "   "});
  QCOMPARE(found(matcher, "xabcde"), std::string("1@1-4 "));
  QCOMPARE(found(matcher, "abde"), std::string("0@0-2 "));
  QCOMPARE(found(matcher, "       "), std::string("5@0-3 5@3-6 "));
  QCOMPARE(found(matcher, ""), std::string());
  QCOMPARE(found(PhraseMatcher({}), "abc"), std::string());
  QCOMPARE(found(PhraseMatcher({"a", "a"}), "a"), std::string("0@0-1 "));
}

void tst_phrase_matcher::agreesWithTryingEveryPhrase() {
  std::mt19937 random(3);
  const auto word = [&](std::size_t longest) {
    std::string text(random() % (longest + 1), 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 2);
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> phrases;
    for (int i = 0; i < 6; ++i) phrases.push_back(word(5));
    const std::string text = word(60);
    QCOMPARE(found(PhraseMatcher(phrases), text), foundByTrying(phrases, text));
  }
}

/// Trying every phrase everywhere would take 10^13 steps here.
void tst_phrase_matcher::staysLinear() {
  std::vector<std::string> phrases;
  for (int i = 0; i < 5000; ++i) phrases.push_back("aaaa" + std::to_string(i));
  phrases.push_back(std::string(500'000, 'a') + "b");
  const std::string text = std::string(1'000'000, 'a') + "4999";
  const PhraseMatcher matcher(phrases);
  const auto matches = matcher.matches(text);
  QCOMPARE(matches.size(), std::size_t{1});
  QCOMPARE(matches[0].phrase, std::size_t{4999});
  QCOMPARE(matches[0].range.end, text.size());
}

EQUIPATCH_TEST(tst_phrase_matcher)
#include "tst_phrase_matcher.moc"
