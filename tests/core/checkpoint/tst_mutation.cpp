// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "tests/support/sane_description.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

/// Golden folders with a single weight file.
std::vector<std::string> unsharded() {
  std::vector<std::string> names = test::goldenNames();
  std::erase(names, "mixtral");
  return names;
}

std::string contentOf(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

/// Reads every byte of the views, so that a wrong view faults here.
/// @returns whether each view has as many bytes as its shape needs
bool touch(const SafetensorsFile& file) {
  [[maybe_unused]] static volatile std::size_t read = 0;
  std::size_t sum = 0;
  bool fits = true;
  for (const auto& [name, view] : file.tensors()) {
    fits = fits && view.bytes.size() ==
                       static_cast<std::size_t>(view.elements()) * byteSize(view.dtype);
    for (const std::byte value : view.bytes) sum += std::to_integer<std::size_t>(value);
  }
  read = sum;
  return fits;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : m_random(seed) {}

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(m_random);
  }

  /// Changes up to four bytes at or after `from`.
  void changeBytes(std::string& text, std::size_t from) {
    constexpr std::string_view kMeaningful = "0123456789-+.eE,:[]{}\"\\ntf \x80\xFF";
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      char& c = text[from + below(text.size() - from)];
      switch (below(3)) {
        case 0:
          c = static_cast<char>(static_cast<unsigned char>(c) ^ (1U << below(8)));
          break;
        case 1:
          c = static_cast<char>(below(256));
          break;
        default:
          c = kMeaningful[below(kMeaningful.size())];
      }
    }
  }

  Json strangeValue() {
    const Json values[] = {nullptr,
                           true,
                           0,
                           1,
                           -1,
                           2,
                           7,
                           INT64_MIN,
                           INT64_MAX,
                           UINT64_MAX,
                           1e308,
                           -1e308,
                           1e-308,
                           0.5,
                           "",
                           "linear",
                           Json::array(),
                           Json::object(),
                           {1, 2},
                           {{"factor", 2}},
                           {{"rope_type", "llama3"}},
                           {{"rope_type", "yarn"}, {"mscale", -3}, {"mscale_all_dim", 1}},
                           {{"rope_type", "dynamic"}, {"factor", 1e300}}};
    return values[below(std::size(values))];
  }

 private:
  std::mt19937 m_random;
};

}  // namespace

/// A damaged file opens or throws Error; a crash or another exception fails the test.
class tst_mutation : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void mostDamagedHeadersAreDetected();
  void truncatedFilesAreRefused();
  void damagedConfigsGiveSaneModelsOrErrors();
  void strangeValuesGiveSaneModelsOrErrors();

 private:
  QTemporaryDir m_temporary;
};

void tst_mutation::mostDamagedHeadersAreDetected() {
  const std::filesystem::path folder = m_temporary.path().toStdString();
  const std::filesystem::path path = folder / "model.safetensors";
  Mutator mutator(1);
  int opened = 0, rounds = 0;
  for (const std::string& name : unsharded()) {
    const auto golden = test::data("golden") / name;
    const std::string content = contentOf(golden / "model.safetensors");
    const std::string header =
        content.substr(0, 3000);  // length, first names and offsets
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    std::filesystem::copy_file(golden / "config.json", folder / "config.json",
                               std::filesystem::copy_options::overwrite_existing);
    for (int round = 0; round < 200; ++round, ++rounds) {
      std::string damaged = header;
      mutator.changeBytes(damaged, round % 10 == 0 ? 0 : 8);
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file << damaged;
      file.close();
      test::errorOf([&] {
        QVERIFY2(touch(SafetensorsFile::open(path)), name.c_str());
        ++opened;
      });
      test::errorOf([&] { Checkpoint::open(folder); });
    }
  }
  QVERIFY(opened > 0);  // for example with only a name changed
  QVERIFY(opened < rounds * 11 / 30);
}

void tst_mutation::truncatedFilesAreRefused() {
  const std::filesystem::path path =
      std::filesystem::path(m_temporary.path().toStdString()) / "cut.safetensors";
  std::filesystem::copy_file(test::data("golden/llama3_tied/model.safetensors"), path);
  Mutator mutator(2);
  std::uintmax_t size = std::filesystem::file_size(path);
  while (size > 0) {
    size -= std::min<std::uintmax_t>(size, 1 + mutator.below(size > 4000 ? 1000 : 20));
    std::filesystem::resize_file(path, size);
    QVERIFY_ERROR(SafetensorsFile::open(path), "cut.safetensors");
  }
}

void tst_mutation::damagedConfigsGiveSaneModelsOrErrors() {
  Mutator mutator(3);
  int described = 0;
  for (const std::string& name : test::goldenNames()) {
    const std::string content = contentOf(test::data("golden") / name / "config.json");
    for (int round = 0; round < 500; ++round) {
      std::string damaged = content;
      mutator.changeBytes(damaged, 0);
      if (round % 4 == 0) damaged.resize(mutator.below(damaged.size()));
      test::errorOf([&] {
        QVERIFY2(test::isSane(describeModel(parseJson(damaged, "c"), "c")),
                 damaged.c_str());
        ++described;
      });
    }
  }
  QVERIFY(described > 0);
}

void tst_mutation::strangeValuesGiveSaneModelsOrErrors() {
  Mutator mutator(4);
  int described = 0;
  for (const std::string& name : test::goldenNames()) {
    Json config = parseJson(contentOf(test::data("golden") / name / "config.json"), "c");
    for (const char* key :
         {"rope_scaling", "rope_parameters", "rope_theta", "head_dim", "layer_types",
          "attention_bias", "mlp_bias", "hidden_act", "dtype", "partial_rotary_factor",
          "quantization_config", "sliding_window", "num_experts", "num_experts_per_tok",
          "mlp_only_layers", "rotary_dim", "logits_scaling"})
      config.emplace(key, nullptr);
    for (int round = 0; round < 500; ++round) {
      Json damaged = config;
      for (std::size_t changes = 1 + mutator.below(3); changes > 0; --changes) {
        auto member = damaged.begin();
        std::advance(member, static_cast<std::ptrdiff_t>(mutator.below(damaged.size())));
        *member = mutator.strangeValue();
      }
      test::errorOf([&] {
        QVERIFY2(test::isSane(describeModel(damaged, "c")), damaged.dump().c_str());
        ++described;
      });
    }
  }
  QVERIFY(described > 100);
}

EQUIPATCH_TEST(tst_mutation)
#include "tst_mutation.moc"
