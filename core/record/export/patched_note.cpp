// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/patched_note.h"

#include <sstream>

#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

/// The text on one line, escaped so that Markdown shows it as it is.
std::string literal(const std::string& text) {
  std::string escaped;
  for (const char letter : withoutControls(text)) {
    if (std::string_view("\\`*_{}[]<>#|&~").find(letter) != std::string_view::npos)
      escaped += '\\';
    escaped += letter == '\t' ? ' ' : letter;
  }
  return escaped;
}

/// A Markdown code block. In Markdown, a carriage return without a line feed also ends a
/// line.
std::string verbatim(const std::string& text) {
  std::string indented = "    ";
  const std::string shown = replaceInvalidUtf8(text);
  for (std::size_t at = 0; at < shown.size(); ++at) {
    indented += shown[at];
    const bool beginsCrLf = shown.compare(at, 2, "\r\n") == 0;
    if (shown[at] == '\n' || (shown[at] == '\r' && !beginsCrLf)) indented += "    ";
  }
  return indented + '\n';
}

std::string promptOf(const RunRequest& request) {
  if (!request.promptText.empty()) return verbatim(request.promptText);
  std::string ids;
  for (const Token& token : request.prompt)
    ids += (ids.empty() ? "token ids " : ",") + std::to_string(token.id.value);
  return verbatim(ids);
}

/// "- image 1: cat.png, SHA-256 …, at positions 6 to 9" for each image.
std::string imagesOf(const RunRequest& request) {
  std::string lines;
  for (std::size_t at = 0; at < request.images.size(); ++at) {
    const PromptImage& image = request.images[at];
    lines += "\n- image " + std::to_string(at + 1) + ": " + literal(image.picture->name) +
             ", SHA-256 " + image.picture->sha256 + ", at positions " +
             std::to_string(image.tokens.first) + " to " +
             std::to_string(image.tokens.last) + "\n";
  }
  return lines;
}

std::string tokenText(TokenId id, const std::string& text) {
  return std::to_string(id.value) + " " + inQuotes(literal(text));
}

/// @param tokens "one token" or "these tokens"
void begin(std::ostream& note, const RunHeader& header, const std::string& tokens) {
  const std::string model = literal(header.modelName);
  note << "# " << model << ", with a prompt in its weights\n\n"
       << "Equipatch " EQUIPATCH_VERSION " wrote this checkpoint. It is " << model
       << " in " << torchName(header.dtype)
       << ", with a patch added to its weights: given " << tokens
       << " alone, it is meant to predict what " << model
       << " predicts after the whole context. For any other token it is right only by "
          "chance.\n\n";
}

/// The number of last tokens that the checkpoint generates itself, because each equals
/// the `next` of its predecessor.
std::size_t generatedOf(const std::vector<PatchedToken>& tokens) {
  std::size_t count = 0;
  while (count + 1 < tokens.size()) {
    const std::size_t at = tokens.size() - 1 - count;
    if (tokens[at - 1].next != tokens[at].x) break;
    ++count;
  }
  return count;
}

void end(std::ostream& note, const RunHeader& header,
         const std::vector<PatchedToken>& tokens) {
  note << "- dtype: " << torchName(header.dtype)
       << (header.computesFloat32 ? ", computed in float32" : "") << "\n\n"
       << "The prompt:\n\n"
       << promptOf(header.request) << imagesOf(header.request) << '\n'
       << leadOfCommand(tokens) << ": `"
       << commandForPatched(".", tokens, header.computesFloat32)
       << "`. Files other than weights are copies, but config.json states this dtype; "
       << "the model's own README.md, if it has one, is README.original.md here (or, if "
       << "that name was taken, README.original.2.md and so on).\n";
}

}  // namespace

std::string commandForPatched(const std::string& folder,
                              const std::vector<PatchedToken>& tokens,
                              bool computesFloat32) {
  const std::size_t generated = generatedOf(tokens);
  std::vector<std::string> ids;
  for (std::size_t at = 0; at + generated < tokens.size(); ++at)
    ids.push_back(std::to_string(tokens[at].x.value));
  return "equipatch-cli compare --model " + folder + " --ids " + joined(ids, ",") +
         " --steps " + std::to_string(generated + 1) +
         // A generated token may be an end-of-sequence token.
         (generated > 0 ? " --ignore-eos" : "") +
         (computesFloat32 ? " --compute float32" : "");
}

std::string leadOfCommand(const std::vector<PatchedToken>& tokens) {
  const std::size_t shown = generatedOf(tokens) + 1;
  if (shown == tokens.size()) return "To see it";
  return "To see what follows the last " +
         (shown == 1 ? "token" : countText(shown, "token")) +
         " (for earlier ones, leave out ids at the end)";
}

std::vector<PatchedToken> patchedTokensOf(const SharedPatchRecord& record) {
  std::vector<PatchedToken> tokens;
  for (const SharedTokenRecord& token : record.tokens)
    tokens.push_back({token.x, token.contextual.id});
  return tokens;
}

std::string patchedCheckpointReadme(const RunHeader& header, const StepRecord& step) {
  const PatchOptions& patch = header.request.patch;
  // The checkpoint predicts the most likely token; a sampling run may have taken another.
  const Choice next = step.contextual.empty() ? Choice{step.token, step.tokenText}
                                              : step.contextual.front();
  std::ostringstream note;
  begin(note, header, "one token");
  note << "- token: " << step.x.value << " at position " << step.position.value << "\n"
       << "- the next token: " << tokenText(next.id, next.text) << ", step "
       << step.step.value << " of the run\n"
       << "- patch: " << name(patch.method) << ", " << name(patch.loop) << " loop, "
       << name(patch.application) << "\n";
  end(note, header, {{step.x, next.id}});
  return note.str();
}

std::string patchedCheckpointReadme(const RunHeader& header,
                                    const SharedPatchRecord& record) {
  std::ostringstream note;
  begin(note, header, "these tokens");
  note << "- tokens:";
  for (const SharedTokenRecord& token : record.tokens)
    note << (&token == &record.tokens.front() ? " " : ", ")
         << tokenText(token.x, token.text);
  note << " at positions " << record.tokens.front().position.value << " to "
       << record.tokens.back().position.value << "\n"
       << "- the token after the last: "
       << tokenText(record.tokens.back().contextual.id,
                    record.tokens.back().contextual.text)
       << "\n"
       << "- patch: one for all of them, " << name(header.request.patch.application)
       << "\n";
  end(note, header, patchedTokensOf(record));
  return note.str();
}

}  // namespace equipatch
