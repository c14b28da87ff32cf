// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/patched_note.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_patched_note : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theNoteStatesTokenAndSettingsOfThePatch();
  void theNoteListsTokensOfASharedPatch();
  void theCommandGeneratesTheLastTokens();
  void namesTokensAndPromptsAreShownLiterally();
};

namespace {

RunHeader header() {
  RunHeader result;
  result.modelName = "tiny";
  result.modelFolder = "/models/tiny";
  result.dtype = DType::BF16;
  result.provenance.program = "an earlier one";
  result.request.promptText = "Once\n# upon\n```";
  result.request.patch.method = Method::Stable;
  return result;
}

}  // namespace

void tst_patched_note::theNoteStatesTokenAndSettingsOfThePatch() {
  StepRecord step;
  step.step = StepIndex(3);
  step.position = Position(7);
  step.x = TokenId(42);
  step.token = TokenId(43);
  step.tokenText = " time";
  const QString note = QString::fromStdString(patchedCheckpointReadme(header(), step));
  for (const char* part :
       {"# tiny", "Equipatch " EQUIPATCH_VERSION " wrote", "It is tiny in bfloat16",
        "token: 42 at position 7", "43 \" time\", step 3",
        "stable, closed loop, factored", "--ids 42"})
    QVERIFY2(note.contains(part), part);
  QVERIFY(!note.contains("/models"));
  QVERIFY(!note.contains("earlier"));  // the version that recorded the run
  // Markdown shows the prompt literally.
  QVERIFY(note.contains("\n    Once\n    # upon\n    ```\n"));
  step.contextual = {{TokenId(44), " day"}};  // the most likely token; 43 was sampled
  QVERIFY(patchedCheckpointReadme(header(), step).find("next token: 44 \" day\"") !=
          std::string::npos);
}

void tst_patched_note::theNoteListsTokensOfASharedPatch() {
  SharedPatchRecord record;
  for (const std::int64_t at : {5, 6}) {
    SharedTokenRecord& token = record.tokens.emplace_back();
    token.position = Position(at);
    token.x = TokenId(at + 100);
    token.text = "t" + std::to_string(at);
    token.contextual = {TokenId(9), "next", 0.0, 0.0};
  }
  RunHeader ids = header();
  ids.request.promptText.clear();
  ids.request.prompt = {{.id = TokenId(1)}, {.id = TokenId(2)}};
  const QString note = QString::fromStdString(patchedCheckpointReadme(ids, record));
  for (const char* part : {"105 \"t5\", 106 \"t6\" at positions 5 to 6", "9 \"next\"",
                           "--ids 105,106", "    token ids 1,2\n"})
    QVERIFY2(note.contains(part), part);
}

/// If each of the last tokens is the predicted successor of the token before it, the
/// command generates these tokens and so shows what follows each of them.
void tst_patched_note::theCommandGeneratesTheLastTokens() {
  const auto command = [](const std::vector<PatchedToken>& tokens) {
    return leadOfCommand(tokens) + ": " + commandForPatched("m", tokens, false);
  };
  const PatchedToken one{TokenId(1), TokenId(2)}, two{TokenId(2), TokenId(3)},
      three{TokenId(3), TokenId(4)}, other{TokenId(9), TokenId(4)};
  const std::string compare = "equipatch-cli compare --model m --ids ";
  QCOMPARE(command({one}), "To see it: " + compare + "1 --steps 1");
  QCOMPARE(command({one, two, three}),
           "To see it: " + compare + "1 --steps 3 --ignore-eos");
  QCOMPARE(
      command({other, two, three}),
      "To see what follows the last 2 tokens (for earlier ones, leave out ids at the "
      "end): " +
          compare + "9,2 --steps 2 --ignore-eos");
  QCOMPARE(command({one, two, other}),
           "To see what follows the last token (for earlier ones, leave out ids at the "
           "end): " +
               compare + "1,2,9 --steps 1");
}

void tst_patched_note::namesTokensAndPromptsAreShownLiterally() {
  RunHeader strange = header();
  strange.modelName = "a\n# b <img src=x> [c](d)";
  strange.computesFloat32 = true;
  StepRecord step;
  step.x = TokenId(42);
  step.tokenText = "`\n";
  const QString note = QString::fromStdString(patchedCheckpointReadme(strange, step));
  QVERIFY2(note.startsWith("# a \\# b \\<img src=x\\> \\[c\\](d), with"),
           qPrintable(note));
  QVERIFY(note.contains("\"\\` \""));
  QVERIFY(note.contains("--ids 42 --steps 1 --compute float32`"));
  strange.request.promptText = "one\r# two\r\nthree\r";
  QVERIFY(patchedCheckpointReadme(strange, step)
              .find("\n    one\r    # two\r\n    three\r    \n") != std::string::npos);
}

EQUIPATCH_TEST(tst_patched_note)
#include "tst_patched_note.moc"
