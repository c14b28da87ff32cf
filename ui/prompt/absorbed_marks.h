#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/absorbed_set.h"
#include "core/text/token.h"

namespace equipatch {

/// What of one text's tokens is kept, said of another text's: tokens at the beginning and
/// at the end that both have keep their marks; what is new between them is kept only
/// where it stands between kept tokens.
AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to);

/// Which part of a prompt is absorbed, while its text, and so its tokens, change; with
/// undo and redo. Spelt as `--absorb` takes it.
class AbsorbedMarks {
 public:
  /// Names for a whole choice, which goes on to mean the same when the prompt changes.
  static const std::vector<std::string>& presets();

  const std::vector<Token>& tokens() const { return m_tokens; }
  const AbsorbedSet& set() const { return m_set; }
  bool keeps(int token) const;
  int keptCount() const;

  /// A preset's name, or positions. While there are no tokens: what was wanted last.
  std::string spelling() const;
  /// Waits for tokens where there are none. @throws Error{BadInput} when it is nothing
  /// that these tokens can be marked by; nothing has changed.
  void setSpelling(const std::string& spelling);

  /// The text was written or tokenized anew.
  void setTokens(std::vector<Token> tokens);
  /// @param first, last token numbers, both included, within the prompt.
  void keep(int first, int last) { mark(first, last, Fate::Kept); }
  void absorb(int first, int last) { mark(first, last, Fate::Absorbed); }

  /// Where a text's own undo stands when marks are set, so that both can be undone in the
  /// order in which they were done.
  void setMoment(int moment) { m_moment = moment; }
  /// The moment of what would be undone or redone; nothing when there is none.
  std::optional<int> undoMoment() const { return momentOf(m_undo); }
  std::optional<int> redoMoment() const { return momentOf(m_redo); }
  void undo() { exchange(m_undo, m_redo); }
  void redo() { exchange(m_redo, m_undo); }

 private:
  /// The marks of the tokens there were, of these.
  void takeOver(const std::vector<Token>& tokens);
  struct Snapshot {
    std::vector<Token> tokens;
    AbsorbedSet set;
    int moment = 0;
  };
  using Snapshots = std::vector<Snapshot>;

  static std::optional<int> momentOf(const Snapshots& snapshots) {
    return snapshots.empty() ? std::nullopt : std::optional(snapshots.back().moment);
  }
  enum class Fate { Kept, Absorbed };
  void mark(int first, int last, Fate fate);
  void change(AbsorbedSet set);
  void exchange(Snapshots& from, Snapshots& to);

  std::vector<Token> m_tokens;
  AbsorbedSet m_set;
  std::string m_wanted = "all";  ///< while there are no tokens
  std::vector<Token>
      m_before;  ///< those that `m_wanted` was said of, when there are none
  Snapshots m_undo, m_redo;
  int m_moment = 0;
};

}  // namespace equipatch
