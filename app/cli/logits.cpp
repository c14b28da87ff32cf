// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "core/checkpoint/safetensors.h"
#include "core/record/export/output_file.h"
#include "core/run/backend.h"

namespace equipatch::cli {

namespace {

struct LogitsOptions {
  SessionOptions session;
  std::string ids;
  std::vector<std::string> images;
  std::string out;
  bool sites = false;
};

void write(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors) {
  std::vector<TensorPlan> plan;
  for (const NamedTensor& tensor : tensors)
    plan.push_back({tensor.name, DType::F32, tensor.shape});
  SafetensorsWriter writer(path, plan);
  for (const NamedTensor& tensor : tensors)
    writer.append(tensor.name, std::span<const float>(tensor.values));
  writer.finish();
}

int logits(const LogitsOptions& options, const std::vector<TokenId>& ids) {
  OutputPlace place(options.out);
  requirePlaceFor(place.path(), {"\"logits\"", "a file of logits"});
  Foreground foreground;
  const auto session = foreground.open(options.session.request());
  const auto capture = options.sites ? SiteCapture::AllSites : SiteCapture::LogitsOnly;
  std::vector<NamedTensor> tensors;
  foreground.runTask("Compute the logits", [&](Control& control) {
    const PreparedPrompt prompt =
        preparePrompt({.text = {}, .ids = ids, .images = readPictures(options.images)},
                      *session, control.stopToken());
    tensors = backend().computeLogits(*session, ids, capture, prompt.images, control);
  });
  write(place.path(), tensors);
  const bool isNamed = !place.isStandardOutput();
  (isNamed ? std::cout : std::cerr)
      << (isNamed ? options.out : "standard output") << ": " << tensors.size()
      << (tensors.size() == 1 ? " tensor\n" : " tensors\n");
  place.copyToStandardOutput(std::cout);
  return 0;
}

}  // namespace

void addLogits(CLI::App& program, Action& action) {
  const auto options = std::make_shared<LogitsOptions>();
  CLI::App* command = program.add_subcommand(
      "logits", "Write the logits of every position, in float32, to a safetensors file");
  options->session.addTo(*command);
  command->add_option("--ids", options->ids, "token ids: 1,2,3")
      ->required()
      ->type_name("IDS");
  addImageOption(*command, options->images,
                 "an image for the next group of image tokens among the ids");
  command->add_flag("--sites", options->sites,
                    "also write the activations of every layer L: resid_pre.L, "
                    "attn_out.L, resid_mid.L, mlp_out.L, resid_post.L; "
                    "with images pixel_values, image_features, vision_hidden_states.L, "
                    "vis_attn_out.L, vis_mlp_out.L, vision_last_hidden_state");
  command->add_option("--out", options->out, "file to write; - for standard output")
      ->required()
      ->type_name("FILE");
  command->callback([options, &action] {
    action = [options, ids = parseIds(options->ids)] { return logits(*options, ids); };
  });
}

}  // namespace equipatch::cli
