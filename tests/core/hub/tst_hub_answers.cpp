// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_answers.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const std::string kCommit(40, 'a');
const std::string kSha256(64, 'b');

HubFile fileOf(std::map<std::string, std::string> fields) {
  const HttpHead head{.status = 200, .url = {}, .fields = std::move(fields)};
  return parseHubFile(head, "x.bin", kCommit, "owner/model, x.bin");
}

HubListing listingOf(const std::string& siblings) {
  return parseHubListing(R"({"sha": ")" + kCommit + R"(", "siblings": )" + siblings + "}",
                         "the page");
}

}  // namespace

/// Answers that the hub, or a server in its place, may send.
class tst_hub_answers : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void unsafeNamesAreNotListed();
  void namesWithHiddenCharactersAreNotListed();
  void malformedListingsAreRefused();
  void shardsAreReadAndChecked();
  void linkedSizeAndHashTakePrecedence();
  void sizeHashAndCommitAreChecked();
};

void tst_hub_answers::unsafeNamesAreNotListed() {
  const HubListing listing = listingOf(
      R"([{"rfilename": "config.json"}, {"rfilename": "../x"}, {"rfilename": "a/b"},
          {"rfilename": ".gitattributes"}, {"rfilename": "a\\b"}, {"rfilename": ""},
          {"rfilename": "a\u0001b"}, {"rfilename": "gr\u00fcn"}])");
  QCOMPARE(listing.commit, kCommit);
  QCOMPARE(listing.files, (std::set<std::string>{"config.json", "gr\xc3\xbcn"}));
}

void tst_hub_answers::namesWithHiddenCharactersAreNotListed() {
  for (const char* hidden :
       {"\\u0009", "\\u007f", "\\u009b", "\\u200e", "\\u200f", "\\u061c", "\\u2028",
        "\\u202a", "\\u202e", "\\u2066", "\\u2069"})
    QVERIFY2(
        listingOf(std::string(R"([{"rfilename": "a)") + hidden + R"(b"}])").files.empty(),
        hidden);
}

void tst_hub_answers::malformedListingsAreRefused() {
  QVERIFY_ERROR(parseHubListing("<html>", "the page"), "the page");
  QVERIFY_ERROR(parseHubListing(R"({"sha": "main", "siblings": []})", "the page"),
                "expected a commit of 40 hexadecimal digits");
  QVERIFY_ERROR(listingOf("{}"), "expected a list of files");
  QVERIFY_ERROR(listingOf("[1]"), "the page, siblings");
}

void tst_hub_answers::shardsAreReadAndChecked() {
  const HubListing listing =
      listingOf(R"([{"rfilename": "1.st"}, {"rfilename": "2.st"}])");
  const auto shardsOf = [&](const char* map) {
    return parseShards(std::string(R"({"weight_map": )") + map + "}", listing, "index");
  };
  QCOMPARE(shardsOf(R"({"a": "2.st", "b": "1.st", "c": "2.st"})"), listing.files);
  QVERIFY_ERROR(shardsOf(R"({"a": "3.st"})"), "3.st", "does not contain");
  for (const char* map : {"{}", "[]", R"({"a": 1})"})
    QVERIFY_ERROR(shardsOf(map), "\"weight_map\"");
}

void tst_hub_answers::linkedSizeAndHashTakePrecedence() {
  const HubFile linked = fileOf({{"x-linked-size", "5000000000"},
                                 {"x-linked-etag", '"' + kSha256 + '"'},
                                 {"content-length", "1000"},
                                 {"etag", "\"" + kCommit + "\""},
                                 {"x-repo-commit", kCommit}});
  QCOMPARE(linked.name, std::string("x.bin"));
  QCOMPARE(linked.bytes, std::uint64_t{5'000'000'000});
  QCOMPARE(linked.hash, kSha256);
  QCOMPARE(fileOf({{"content-length", "0"}, {"etag", "W/\"" + kCommit + "\""}}).hash,
           kCommit);
}

void tst_hub_answers::sizeHashAndCommitAreChecked() {
  for (const char* size : {"", "-1", "1x", "18446744073709551616", "70368744177665"})
    QVERIFY_ERROR(fileOf({{"content-length", size}, {"etag", kCommit}}), "no valid size");
  for (const std::string& tag : {std::string(), std::string("../x"), kCommit + "a"})
    QVERIFY_ERROR(fileOf({{"content-length", "1"}, {"etag", tag}}), "no SHA-256");
  QVERIFY_ERROR(fileOf({{"x-repo-commit", "other"}}), "instead of aaaa");
}

EQUIPATCH_TEST(tst_hub_answers)
#include "tst_hub_answers.moc"
