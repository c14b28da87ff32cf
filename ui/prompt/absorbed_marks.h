// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/absorbed_set.h"
#include "core/record/carried_marks.h"
#include "core/text/token.h"

namespace equipatch {

/// The absorbed part of a prompt, marked token by token, with undo and redo. Marks
/// survive changes of the prompt. As text, the absorbed part has the syntax of
/// `--absorb`.
class AbsorbedMarks {
 public:
  /// Names of absorbed parts of any prompt. Only "keep-bos" has a precondition: the
  /// prompt starts with a special token.
  static const std::vector<std::string>& presets();
  /// More names, for a prompt with images.
  static const std::vector<std::string>& imagePresets();

  const std::vector<Token>& tokens() const { return *m_tokens; }
  /// Never null.
  std::shared_ptr<const std::vector<Token>> sharedTokens() const { return m_tokens; }
  const AbsorbedSet& set() const { return m_set; }
  bool keeps(int token) const;
  int keptCount() const;

  /// The absorbed part as text. Without tokens, this is the text for the last tokens, or
  /// the text that setText has set since.
  std::string text() const;
  /// Sets the absorbed part. If there are no tokens, sets it for the next tokens and
  /// clears undo and redo.
  /// @throws Error{BadInput} if the text does not fit the tokens; then nothing changes.
  void setText(const std::string& text);
  /// The marks as byte ranges of the prompt's text. They do not depend on the tokenizer
  /// and stay while there are no tokens. Empty for a prompt of ids, and if text() names
  /// the absorbed part ("all", "image:2") instead of listing positions.
  std::optional<TextMarks> textMarks() const;
  /// Sets marks for the next tokens, whose text may differ from the marked one. Has no
  /// effect if there are tokens. Call after setText, which clears the marks.
  void setTextMarks(std::optional<TextMarks> marks);

  /// Replaces the tokens and carries the marks over. Marks that an earlier call lost
  /// return with the tokens that had them, unless marks were changed since.
  /// @param images the positions of each image's tokens, kept or absorbed together
  /// @param text the tokenized text
  /// @param message as in parseAbsorbedSet
  /// @returns the former absorbed part, as text, if a preset replaced it; else empty
  std::string setTokens(std::vector<Token> tokens, std::vector<PositionRange> images = {},
                        const std::string& text = {}, const std::string& message = {});
  const std::vector<PositionRange>& images() const { return m_images; }
  /// Marks tokens, as one step of undo.
  /// @param ranges of token indices; cut to the prompt and extended to whole images
  void keep(const std::vector<PositionRange>& ranges) { mark(ranges, Fate::Kept); }
  void absorb(const std::vector<PositionRange>& ranges) { mark(ranges, Fate::Absorbed); }
  void keep(int first, int last) { keep({{first, last}}); }
  void absorb(int first, int last) { absorb({{first, last}}); }

  /// @param steps the number of undo steps of the prompt's text. Each change of marks
  ///        stores this number, which tells whether text or marks changed last.
  void setTextSteps(int steps) { m_textSteps = steps; }
  /// The text steps stored with the next change to undo or redo; empty: no change.
  std::optional<int> textStepsAtUndo() const { return textStepsOf(m_undo); }
  std::optional<int> textStepsAtRedo() const { return textStepsOf(m_redo); }
  void undo() { exchange(m_undo, m_redo); }
  void redo() { exchange(m_redo, m_undo); }
  /// Call when the prompt's text is edited.
  void clearRedo() { m_redo.clear(); }

 private:
  using Tokens = std::shared_ptr<const std::vector<Token>>;
  struct Snapshot {
    Tokens tokens;  ///< never null
    AbsorbedSet set;
    std::optional<TextMarks> marks;           ///< `marks->text` is left empty
    std::shared_ptr<const std::string> text;  ///< the text of `marks`; never null
    int textSteps = 0;
  };
  using Snapshots = std::vector<Snapshot>;

  static std::optional<int> textStepsOf(const Snapshots& snapshots) {
    return snapshots.empty() ? std::nullopt : std::optional(snapshots.back().textSteps);
  }
  enum class Fate { Kept, Absorbed };
  void mark(const std::vector<PositionRange>& ranges, Fate fate);
  std::optional<AbsorbedSet> tryParse(const std::string& part,
                                      const std::vector<Token>& tokens,
                                      const std::string& text = {},
                                      const std::string& message = {}) const;
  std::string presetOf(const AbsorbedSet& set, const std::vector<Token>& tokens) const;
  void change(AbsorbedSet set);
  Snapshot snapshot(int textSteps) const;
  void exchange(Snapshots& from, Snapshots& to);
  void bringBackTokens();
  void restore(Snapshot old);
  void rememberTextMarks();

  Tokens m_tokens = std::make_shared<const std::vector<Token>>();
  std::vector<PositionRange> m_images;
  AbsorbedSet m_set;
  std::string m_wanted = "all";  ///< what text() returns without tokens
  Tokens m_before;               ///< the last tokens, while there are none; else null
  std::vector<PositionRange> m_imagesBefore;  ///< belong to `m_before`
  /// The text of `m_tokens`, or of `m_before`; never null.
  std::shared_ptr<const std::string> m_text = std::make_shared<const std::string>();
  std::string m_message;  ///< as in parseAbsorbedSet
  /// The marks as byte ranges. Tokenizing the same text with another tokenizer does not
  /// coarsen them. They refer to `*m_text` if there are tokens.
  std::optional<TextMarks> m_textMarks;
  std::optional<Snapshot> m_lost;  ///< the state before setTokens lost marks
  Snapshots m_undo, m_redo;
  int m_textSteps = 0;
};

}  // namespace equipatch
