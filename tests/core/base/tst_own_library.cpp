#include "core/base/own_library.h"

#include <dlfcn.h>

#include "core/base/error.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_own_library : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void liesBesideItself();
  void whatCannotBeLoadedIsNamed();
};

void tst_own_library::liesBesideItself() {
  QVERIFY(std::filesystem::exists(ownLibraryFolder() / "libequipatch_base.so"));
}

void tst_own_library::whatCannotBeLoadedIsNamed() {
  QVERIFY_ERROR(ownLibraryFunction("libequipatch_none.so", "nothing", RTLD_LAZY),
                "libequipatch_none.so", "cannot be loaded", "install Equipatch again");
  QVERIFY_ERROR(ownLibraryFunction("libequipatch_base.so", "nothing", RTLD_LAZY),
                "libequipatch_base.so", "undefined symbol: nothing");
}

EQUIPATCH_TEST(tst_own_library)
#include "tst_own_library.moc"
