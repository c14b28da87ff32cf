// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/absorbed_set.h"
#include "core/text/token.h"

namespace equipatch {

/// Transfers marks from the tokens of an old text to those of a new one. The common
/// tokens at the beginning and at the end retain their marks; new tokens between them are
/// kept only where their neighbours on both sides are kept. If the new tokens replace
/// both absorbed and kept ones and the others are all of one kind, nothing tells what was
/// meant: everything is absorbed.
AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to);

/// The same for two tokenizations of one text: the bytes retain their marks. A token of
/// which some bytes are absorbed is absorbed; one without bytes, such as BOS, is as its
/// neighbour.
AbsorbedSet carriedByBytes(const AbsorbedSet& set, const std::vector<Token>& from,
                           const std::vector<Token>& to);

/// The absorbed part of a prompt, with undo and redo. The marks persist while the
/// prompt's text, and so its tokens, change. As text, the absorbed part has the syntax of
/// `--absorb`.
class AbsorbedMarks {
 public:
  /// Names such as "keep-bos", which stay in force when the prompt changes.
  static const std::vector<std::string>& presets();
  /// More names, for a prompt with images.
  static const std::vector<std::string>& imagePresets();

  const std::vector<Token>& tokens() const { return m_tokens; }
  const AbsorbedSet& set() const { return m_set; }
  bool keeps(int token) const;
  int keptCount() const;

  /// The absorbed part as a preset's name or as positions. While there are no tokens, the
  /// text that was set last.
  std::string text() const;
  /// While there are no tokens, keeps the text for the next ones. @throws Error{BadInput}
  /// when the text does not fit the tokens; then nothing changes.
  void setText(const std::string& text);

  /// Replaces the tokens; the marks are carried over. If they were lost at the last call
  /// and the tokens are again those before it, they return.
  /// @param images the positions of the tokens of each image, which are kept or absorbed
  ///        together
  /// @param text of which the tokens are the tokenization
  /// @returns the absorbed part, as text, if nothing of it fits the new tokens, so that a
  /// preset is in force now; else empty
  std::string setTokens(std::vector<Token> tokens, std::vector<PositionRange> images = {},
                        const std::string& text = {});
  const std::vector<PositionRange>& images() const { return m_images; }
  /// @param first, last token indices, both included; the range is cut to the prompt. If
  ///        some tokens of an image are in it, all tokens of that image are marked.
  void keep(int first, int last) { mark(first, last, Fate::Kept); }
  void absorb(int first, int last) { mark(first, last, Fate::Absorbed); }

  /// @param textSteps the number of undo steps of the prompt's text. The next change of
  ///        marks stores it, so that undo takes back changes of text and of marks in the
  ///        right order, the newest first.
  void setTextSteps(int steps) { m_textSteps = steps; }
  /// The text steps stored with the next change to undo or redo; empty: there is none.
  std::optional<int> textStepsAtUndo() const { return textStepsOf(m_undo); }
  std::optional<int> textStepsAtRedo() const { return textStepsOf(m_redo); }
  void undo() { exchange(m_undo, m_redo); }
  void redo() { exchange(m_redo, m_undo); }

 private:
  struct Snapshot {
    std::vector<Token> tokens;
    AbsorbedSet set;
    int textSteps = 0;
  };
  using Snapshots = std::vector<Snapshot>;

  static std::optional<int> textStepsOf(const Snapshots& snapshots) {
    return snapshots.empty() ? std::nullopt : std::optional(snapshots.back().textSteps);
  }
  enum class Fate { Kept, Absorbed };
  void mark(int first, int last, Fate fate);
  std::optional<AbsorbedSet> tryParse(const std::string& text,
                                      const std::vector<Token>& tokens) const;
  std::string presetOf(const AbsorbedSet& set, const std::vector<Token>& tokens) const;
  void uniteImages();
  void change(AbsorbedSet set);
  void exchange(Snapshots& from, Snapshots& to);

  std::vector<Token> m_tokens;
  std::vector<PositionRange> m_images;
  AbsorbedSet m_set;
  std::string m_wanted = "all";               ///< what text() returns without tokens
  std::vector<Token> m_before;                ///< the last tokens, while there are none
  std::vector<PositionRange> m_imagesBefore;  ///< of `m_before`
  std::string m_text;                         ///< of `m_tokens`, or of `m_before`
  std::optional<Snapshot> m_lost;             ///< before marks were lost
  Snapshots m_undo, m_redo;
  int m_textSteps = 0;
};

}  // namespace equipatch
