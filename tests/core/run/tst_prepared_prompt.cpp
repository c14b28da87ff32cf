// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/prepared_prompt.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/core/run/tiny_session.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

/// Pieces a, b, c, and the special token <s>, which starts every text.
constexpr const char* kSpecialTokenizer = R"({"version": "1.0",
  "added_tokens": [{"id": 3, "content": "<s>", "single_word": false, "lstrip": false,
    "rstrip": false, "normalized": false, "special": true}],
  "normalizer": null, "pre_tokenizer": null, "decoder": {"type": "Fuse"},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
               {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}},
             {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}}},
  "model": {"type": "BPE", "dropout": null, "unk_token": null,
    "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
    "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}})";

std::vector<std::int64_t> idsOf(const PreparedPrompt& prompt) {
  std::vector<std::int64_t> ids;
  for (const Token& token : prompt.tokens) ids.push_back(token.id.value);
  return ids;
}

using Ids = std::vector<std::int64_t>;

}  // namespace

class tst_prepared_prompt : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void tokenizesAText();
  void specialTokensCanBeOmitted();
  void readsTheAbsorbedPart();
  void absorbsEachSentence();
  void givenTokenIdsAreUsedUnchanged();
  void readsIdsFromAText();
  void aRenderedChatGetsNoSecondBosToken();
  void warnsWhereTheSystemMessageIsLeftOut();
  void onlyASessionRefusesAChatWithoutTemplate();
  void stopsOnRequest();
  void recognizesSlowPreparation();
  void theRequestHoldsThePreparedPrompt();
  void imagesAreFoundInTheText();

 private:
  void writeTemplate(const char* text) const {
    std::ofstream(m_model / "chat_template.jinja") << text;
  }

  QTemporaryDir m_folder;
  fs::path m_model;
  std::shared_ptr<const Session> m_session;
};

void tst_prepared_prompt::initTestCase() {
  m_model = test::writeTinyCheckpoint(m_folder.filePath("tiny").toStdString(),
                                      {.family = "gemma3_text", .layers = 2});
  std::ofstream(m_model / "tokenizer.json") << kSpecialTokenizer;
  m_session = test::openSession({.folder = m_model});
}

void tst_prepared_prompt::tokenizesAText() {
  const PreparedPrompt prompt = preparePrompt({.text = "cab"}, *m_session);
  QCOMPARE(idsOf(prompt), (Ids{3, 2, 0, 1}));
  QCOMPARE(prompt.text, std::string("cab"));
  QVERIFY(prompt.tokens[1].span == (ByteSpan{0, 1}));
  QVERIFY(prompt.absorbed.whole());
  QVERIFY_ERROR(preparePrompt({.text = "a\xff"}, *m_session), "UTF-8");
}

void tst_prepared_prompt::specialTokensCanBeOmitted() {
  const PreparedPrompt prompt =
      preparePrompt({.text = "cab", .specials = SpecialTokens::Omit}, *m_session);
  QCOMPARE(idsOf(prompt), (Ids{2, 0, 1}));
  QCOMPARE(requestFor(prompt, {}).specials, SpecialTokens::Omit);
}

void tst_prepared_prompt::readsTheAbsorbedPart() {
  PromptSource source{.text = "cab", .absorb = "keep-bos"};
  QVERIFY(preparePrompt(source, *m_session).absorbed.keptPrompt ==
          (std::vector<PositionRange>{{0, 0}}));
  source.absorb = "0-99";
  QVERIFY_ERROR(preparePrompt(source, *m_session), "position 99 is not in the prompt");
}

void tst_prepared_prompt::absorbsEachSentence() {
  const PromptSource source{.text = "a\ncb\na", .marks = TextMarks{}};
  const PreparedPrompt whole = preparePrompt(source, *m_session);
  std::vector<PositionRange> sentences;
  for (const PromptSource& one : eachSentence(source)) {
    const PreparedPrompt prompt = preparePrompt(one, *m_session);
    QVERIFY(prompt.absorbed.keepsGenerated);
    QCOMPARE(prompt.text, source.text);
    QVERIFY(withAbsorbedPartOf(whole, one) == prompt);
    std::vector<bool> absorbed = prompt.absorbed.keptFlags(std::ssize(prompt.tokens));
    absorbed.flip();
    const auto ranges = rangesOf(absorbed);
    QCOMPARE(ranges.size(), std::size_t{1});
    sentences.push_back(ranges.front());
  }
  QCOMPARE(sentences, (std::vector<PositionRange>{{1, 1}, {2, 3}, {4, 4}}));
  std::string text;
  for (int sentence = 0; sentence < 10'000; ++sentence) text += "It goes on so. ";
  QVERIFY_ERROR(eachSentence({.text = text}), "10000 sentences", "more than 1 GiB");
  QVERIFY_ERROR(eachSentence({.text = "1, 2", .form = PromptForm::Ids}),
                "token ids has no sentences");
}

void tst_prepared_prompt::givenTokenIdsAreUsedUnchanged() {
  const PreparedPrompt prompt = preparePrompt(
      {.text = {}, .ids = {TokenId(2), TokenId(1)}, .absorb = "none"}, *m_session);
  QCOMPARE(idsOf(prompt), (Ids{2, 1}));
  QCOMPARE(prompt.text, std::string());
  QCOMPARE(prompt.tokens[0].piece, std::string("c"));
  QVERIFY(prompt.absorbed.keepsGenerated);
}

void tst_prepared_prompt::aRenderedChatGetsNoSecondBosToken() {
  writeTemplate("<s>{% for m in messages %}{{ m.content }}b{% endfor %}");
  const PromptSource source{.text = "c", .form = PromptForm::Chat};
  try {
    const PreparedPrompt prompt = preparePrompt(source, *m_session);
    QCOMPARE(prompt.text, std::string("<s>cb"));
    // The template wrote <s>, so the tokenizer adds none.
    QCOMPARE(idsOf(prompt), (Ids{3, 2, 1}));
    QVERIFY(prompt.source == source);
    QCOMPARE(prompt.warning, std::string());
  } catch (const Error& error) {
    if (std::string(error.what()).find("python3-jinja2") == std::string::npos) throw;
    QSKIP("no Python with Jinja2 here");
  }
}

void tst_prepared_prompt::warnsWhereTheSystemMessageIsLeftOut() {
  writeTemplate("<s>{{ messages[-1].content }}");
  const PromptSource source{.text = "c", .form = PromptForm::Chat, .system = " ab "};
  try {
    const std::string warning = preparePrompt(source, *m_session).warning;
    QVERIFY(warning.find("omits the system message") != std::string::npos);
  } catch (const Error& error) {
    if (std::string(error.what()).find("python3-jinja2") == std::string::npos) throw;
    QSKIP("no Python with Jinja2 here");
  }
}

/// Without a session, the chat is tokenized as plain text.
void tst_prepared_prompt::onlyASessionRefusesAChatWithoutTemplate() {
  fs::remove(m_model / "chat_template.jinja");
  const PromptSource source{.text = "ab", .form = PromptForm::Chat};
  QVERIFY_ERROR(preparePrompt(source, *m_session), "chat_template.jinja");
  const PreparedPrompt prompt = preparePrompt(source, m_session->tokenizer(), nullptr);
  QCOMPARE(idsOf(prompt), (Ids{3, 0, 1}));
}

void tst_prepared_prompt::stopsOnRequest() {
  std::stop_source stop;
  stop.request_stop();
  QVERIFY_ERROR(preparePrompt({.text = "cab"}, *m_session, stop.get_token()),
                "stopped on request");
}

void tst_prepared_prompt::recognizesSlowPreparation() {
  writeTemplate("{{ messages }}");
  const ChatTemplate chat = ChatTemplate::open(m_model);
  PromptSource source{.text = std::string(32'768, 'a')};
  QVERIFY(isQuicklyPrepared(source, &chat));
  source.text += "a";
  QVERIFY(!isQuicklyPrepared(source, nullptr));
  source = {.text = "a", .form = PromptForm::Chat};
  QVERIFY(!isQuicklyPrepared(source, &chat));
  QVERIFY(isQuicklyPrepared(source, nullptr));  // without a template, as plain text
}

void tst_prepared_prompt::theRequestHoldsThePreparedPrompt() {
  const PreparedPrompt prompt =
      preparePrompt({.text = "cab", .absorb = "prompt"}, *m_session);
  const RunRequest request =
      requestFor(prompt, {.promptText = "x", .prompt = {}, .steps = 7});
  QCOMPARE(request.steps, 7);
  QCOMPARE(request.promptText, std::string("cab"));
  QVERIFY(request.prompt == prompt.tokens);
  QVERIFY(request.absorbed == prompt.absorbed);
  PreparedPrompt part = prompt;
  part.absorbed = {.keptPrompt = {{0, 0}}, .keepsGenerated = true};
  QVERIFY(requestFor(part, {.promptText = {}, .prompt = {}, .ablated = true}).ablated);
  part.absorbed = {};
  QVERIFY(!requestFor(part, {.promptText = {}, .prompt = {}, .ablated = true}).ablated);
}

/// Replacing each image's span by its placeholder restores the text.
void tst_prepared_prompt::imagesAreFoundInTheText() {
  const fs::path folder =
      test::writeImageModel(m_folder.filePath("images").toStdString());
  const auto session = test::openSession({.folder = folder});
  const auto picture = readPicture(test::data("images/gemma3_mm/image0.png"));
  const std::string place = "<start_of_image>";
  for (const std::string& text :
       {place + "a", "a\n" + place + "\n\nb" + place + place + "c", "a" + place}) {
    PromptSource source{.text = text};
    for (auto at = text.find(place); at != std::string::npos;
         at = text.find(place, at + 1))
      source.images.push_back(picture);
    const PreparedPrompt prompt = preparePrompt(source, *session);
    const auto spans = imageSpans(prompt.text, prompt.tokens, prompt.images);
    QCOMPARE(spans.size(), source.images.size());
    std::string restored = prompt.text;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
      QCOMPARE(prompt.text.compare(span->firstToken, 18, "<image_soft_token>"), 0);
      restored.replace(span->written.begin, span->written.end - span->written.begin,
                       place);
    }
    QCOMPARE(restored, text);
    std::string joined;
    const auto parts =
        textAroundImages(prompt.tokens, prompt.images, session->tokenizer());
    for (std::size_t i = 0; i < parts.size(); ++i)
      joined += (i > 0 ? place : "") + parts[i];
    QCOMPARE(joined, text);
    // Positions from a file may lie outside the text.
    QVERIFY(imageSpans("", prompt.tokens, prompt.images).empty());
    QVERIFY(imageSpans(prompt.text, {}, prompt.images).empty());
  }
}

void tst_prepared_prompt::readsIdsFromAText() {
  QCOMPARE(parseTokenIds("[ 3, 0,1\n2]"),
           (std::vector<TokenId>{TokenId(3), TokenId(0), TokenId(1), TokenId(2)}));
  for (const char* wrong : {"1, two", "-1", "1.5", "99999999999999999999"})
    QVERIFY_ERROR(parseTokenIds(wrong), "consists of numbers", "is none");
  QVERIFY_ERROR(parseTokenIds(" , "), "at least one id");
  const PromptSource source{
      .text = "3, 0, 900", .form = PromptForm::Ids, .absorb = "none"};
  const PreparedPrompt prompt = preparePrompt(source, *m_session);
  QCOMPARE(idsOf(prompt), (Ids{3, 0, 900}));
  QCOMPARE(prompt.text, std::string());
  QVERIFY(prompt.absorbed.keepsGenerated);
  QCOMPARE(prompt.tokens[1].piece, std::string("a"));
  QCOMPARE(prompt.tokens[2].piece, std::string("<unused 900>"));
  QCOMPARE(idsOf(prepareIds(source, KnownTokens())), (Ids{3, 0, 900}));
  QCOMPARE(prepareIds(source, KnownTokens()).tokens[1].piece, std::string("0"));
  QVERIFY(isQuicklyPrepared(source, nullptr));
}

EQUIPATCH_TEST(tst_prepared_prompt)
#include "tst_prepared_prompt.moc"
