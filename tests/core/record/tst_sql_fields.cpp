// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/sql_fields.h"

#include <bit>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

template <typename Field>
Field read(const SqlValue& cell) {
  Field field{};
  fromSql(cell, field);
  return field;
}

}  // namespace

class tst_sql_fields : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void fieldsAreWrittenAsReadableCells();
  void fieldsAreReadBack();
  void absentDistancesAreNull();
  void absentFlagsAreNull();
  void invalidCellsAreRefused();
};

void tst_sql_fields::fieldsAreWrittenAsReadableCells() {
  QVERIFY(toSql(std::vector<std::int64_t>{1, 5, 12}) == SqlValue("1,5,12"));
  QVERIFY(toSql(std::vector<std::string>{"gate", "up"}) == SqlValue("gate,up"));
  QVERIFY(toSql(true) == SqlValue(std::int64_t{1}));
  QVERIFY(toSql(DType::BF16) == SqlValue("bfloat16"));
  QVERIFY(toSql(Method::Stable) == SqlValue("stable"));
  QVERIFY(toSql(std::nan("")) == SqlValue("nan"));
  QVERIFY(toSql(TokenId(9)) == SqlValue(std::int64_t{9}));
}

void tst_sql_fields::fieldsAreReadBack() {
  for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16})
    QCOMPARE(read<DType>(toSql(dtype)), dtype);
  for (const Method method : {Method::Balanced, Method::Direct, Method::Stable})
    QCOMPARE(read<Method>(toSql(method)), method);
  for (const Loop loop : {Loop::Closed, Loop::Half, Loop::Open})
    QCOMPARE(read<Loop>(toSql(loop)), loop);
  for (const Execution execution : {Execution::Lockstep, Execution::Separate})
    QCOMPARE(read<Execution>(toSql(execution)), execution);
  for (const SpecialTokens specials :
       {SpecialTokens::Add, SpecialTokens::Omit, SpecialTokens::Written})
    QCOMPARE(read<SpecialTokens>(toSql(specials)), specials);
  for (const WeightPlace place : {WeightPlace::Resident, WeightPlace::Mapped})
    QCOMPARE(read<WeightPlace>(toSql(place)), place);
  for (const Application application : {Application::Factored, Application::Materialised})
    QCOMPARE(read<Application>(toSql(application)), application);
  using Ranges = std::vector<PositionRange>;
  for (const Ranges& ranges : {Ranges{}, Ranges{{0, 0}}, Ranges{{0, 3}, {7, 9}}})
    QCOMPARE(read<Ranges>(toSql(ranges)), ranges);
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double number : {0.1, -0.0, infinite, -infinite, 5e-324})
    QCOMPARE(std::bit_cast<std::uint64_t>(read<double>(toSql(number))),
             std::bit_cast<std::uint64_t>(number));  // QCOMPARE takes -0.0 for 0.0
  QVERIFY(std::isnan(read<double>(toSql(std::nan("")))));
  using Names = std::vector<std::string>;
  for (const Names& names : {Names{}, Names{"gate"}, Names{"gate", "up", "down"}})
    QCOMPARE(read<Names>(toSql(names)), names);
  using Numbers = std::vector<std::int64_t>;
  for (const Numbers& numbers : {Numbers{}, Numbers{0}, Numbers{3, 1, 4}})
    QCOMPARE(read<Numbers>(toSql(numbers)), numbers);
  const std::uint64_t seed = ~std::uint64_t{0} - 3;
  QCOMPARE(read<std::uint64_t>(toSql(seed)), seed);
}

void tst_sql_fields::absentDistancesAreNull() {
  std::optional<LogitDistance> distance;
  const DistancePart part{distance, &LogitDistance::tvd};
  QVERIFY(toSql(part) == SqlValue(nullptr));
  fromSql(nullptr, part);
  QVERIFY(!distance);
  fromSql(0.25, part);
  QCOMPARE(distance->tvd, 0.25);
  QVERIFY(toSql(part) == SqlValue(0.25));
}

void tst_sql_fields::absentFlagsAreNull() {
  using Flag = std::optional<bool>;
  for (const Flag flag : {Flag(), Flag(false), Flag(true)})
    QCOMPARE(read<Flag>(toSql(flag)), flag);
  QVERIFY(toSql(Flag()) == SqlValue(nullptr));
  QVERIFY_ERROR(read<Flag>(std::int64_t{2}), "expected 0 or 1, found 2");
}

void tst_sql_fields::invalidCellsAreRefused() {
  QVERIFY_ERROR(read<std::int64_t>(std::int64_t{-1}), "not negative", "-1");
  QVERIFY_ERROR(read<std::int64_t>("1"), "a whole number", "\"1\"");
  QVERIFY_ERROR(read<TokenId>(1.5), "found a fraction");
  QVERIFY_ERROR(read<bool>(std::int64_t{2}), "expected 0 or 1, found 2");
  QVERIFY_ERROR(read<double>(nullptr), "expected a number, found nothing");
  QVERIFY_ERROR(read<double>("inf"), "a number");
  QVERIFY_ERROR(read<std::string>(std::int64_t{3}), "a text");
  QVERIFY_ERROR(read<DType>("int3"), "a dtype");
  QVERIFY_ERROR(read<Execution>("fast"), "an execution");
  QVERIFY_ERROR(read<SpecialTokens>("none"), "added, omitted or written");
  for (const char* list : {"1,x", "1,,2", "-1", "99999999999999999999"})
    QVERIFY_ERROR(read<std::vector<std::int64_t>>(SqlValue(list)), "between commas");
  QVERIFY_ERROR(read<std::vector<PositionRange>>(SqlValue("1,2,3")), "pairs");
  QVERIFY_ERROR(read<std::vector<std::string>>(SqlValue(std::string(3'000'000, ','))),
                "a shorter list");
}

EQUIPATCH_TEST(tst_sql_fields)
#include "tst_sql_fields.moc"
