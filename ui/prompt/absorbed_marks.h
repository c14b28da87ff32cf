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

/// The absorbed part of a prompt, with undo and redo. The marks persist while the
/// prompt's text, and so its tokens, change. As text, the absorbed part has the syntax of
/// `--absorb`.
class AbsorbedMarks {
 public:
  /// Names such as "keep-bos", which stay in force when the prompt changes.
  static const std::vector<std::string>& presets();
  /// More names, for a prompt with images.
  static const std::vector<std::string>& imagePresets();

  const std::vector<Token>& tokens() const { return *m_tokens; }
  /// The tokens as a pointer, never null. Snapshots for undo and redo share it.
  std::shared_ptr<const std::vector<Token>> sharedTokens() const { return m_tokens; }
  const AbsorbedSet& set() const { return m_set; }
  bool keeps(int token) const;
  int keptCount() const;

  /// The absorbed part as text. While there are no tokens: the absorbed part of the last
  /// tokens or, if setText was called since, its text.
  std::string text() const;
  /// Sets the absorbed part. While there are no tokens, keeps the text for the next
  /// tokens; this cannot be undone and clears undo and redo.
  /// @throws Error{BadInput} when the text does not fit the tokens; then nothing changes.
  void setText(const std::string& text);
  /// The marks as byte ranges of the prompt's text. They outlast a change of tokenizer
  /// and a time without tokens. Empty for a preset (its name applies to every prompt),
  /// for images by name, and for a prompt of ids.
  std::optional<TextMarks> textMarks() const;
  /// While there are no tokens: keeps the marks for the next tokens, whose text may
  /// differ from the marked one. Call after setText.
  void setTextMarks(std::optional<TextMarks> marks);

  /// Replaces the tokens and carries the marks over. If an earlier call lost marks and no
  /// mark was changed since, the marks return when the tokens that had them return.
  /// @param images the positions of the tokens of each image, which are kept or absorbed
  ///        together
  /// @param text the text that was tokenized
  /// @param message as in parseAbsorbedSet
  /// @returns the former absorbed part, as text, if a preset replaced it; else empty
  std::string setTokens(std::vector<Token> tokens, std::vector<PositionRange> images = {},
                        const std::string& text = {}, const std::string& message = {});
  const std::vector<PositionRange>& images() const { return m_images; }
  /// Marks tokens, as one step of undo.
  /// @param ranges of token indices; they are cut to the prompt. If one begins or ends
  ///        within an image, all tokens of that image are marked.
  void keep(const std::vector<PositionRange>& ranges) { mark(ranges, Fate::Kept); }
  void absorb(const std::vector<PositionRange>& ranges) { mark(ranges, Fate::Absorbed); }
  void keep(int first, int last) { keep({{first, last}}); }
  void absorb(int first, int last) { absorb({{first, last}}); }

  /// @param steps the number of undo steps of the prompt's text. The next change of
  ///        marks stores it, so that undo takes back changes of text and of marks in the
  ///        right order, the newest first.
  void setTextSteps(int steps) { m_textSteps = steps; }
  /// The text steps stored with the next change to undo or redo; empty: there is none.
  std::optional<int> textStepsAtUndo() const { return textStepsOf(m_undo); }
  std::optional<int> textStepsAtRedo() const { return textStepsOf(m_redo); }
  void undo() { exchange(m_undo, m_redo); }
  void redo() { exchange(m_redo, m_undo); }
  /// Call when the prompt's text is edited; a change of marks does the same.
  void clearRedo() { m_redo.clear(); }

 private:
  using Tokens = std::shared_ptr<const std::vector<Token>>;  ///< never null
  /// Snapshots share the tokens and the text, which are large for a long prompt.
  struct Snapshot {
    Tokens tokens;
    AbsorbedSet set;
    std::optional<TextMarks> marks;           ///< with an empty `text`
    std::shared_ptr<const std::string> text;  ///< the text of `marks`
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
  std::vector<PositionRange> m_imagesBefore;  ///< of `m_before`
  /// The text of `m_tokens`, or of `m_before`; never null.
  std::shared_ptr<const std::string> m_text = std::make_shared<const std::string>();
  std::string m_message;  ///< the part of the text that `sentence:` counts in
  /// The marks as byte ranges, as the user made them: a tokenizer with other token
  /// boundaries does not coarsen them. They refer to `*m_text` if there are tokens.
  std::optional<TextMarks> m_textMarks;
  std::optional<Snapshot> m_lost;  ///< the state before setTokens lost marks
  Snapshots m_undo, m_redo;
  int m_textSteps = 0;
};

}  // namespace equipatch
