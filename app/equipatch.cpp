// The window: equipatch [MODELDIR | RUN.eqrun] [--prompt TEXT] [--steps N] [--run]
// Figures without it: equipatch figure --run RUN.eqrun --kind KIND --out FILE …

#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>
#include <span>
#include <string_view>

#include "app/application.h"
#include "app/figure_command.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

namespace {

using equipatch::MainWindow;
using equipatch::WindowApplication;

const QString kPrompt = QStringLiteral("prompt");
const QString kSteps = QStringLiteral("steps");
const QString kRun = QStringLiteral("run");

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      WindowApplication::tr("Shows, token by token, that a prompt acts on a transformer "
                            "as a small patch of its "
                            "weights."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(
      QStringLiteral("MODELDIR"),
      WindowApplication::tr("Model folder in Hugging Face layout, or a recorded run."),
      QStringLiteral("[MODELDIR | RUN.eqrun]"));
  parser.addOption(
      {kPrompt, WindowApplication::tr("Fills the prompt."), QStringLiteral("TEXT")});
  parser.addOption({kSteps, WindowApplication::tr("Number of tokens to generate."),
                    QStringLiteral("N")});
  parser.addOption({kRun, WindowApplication::tr("Starts the run at once.")});
}

/// Help and the version can be read where there is no display, too.
bool onlyPrints(QCommandLineParser& parser, std::span<char*> arguments) {
  QStringList given;
  for (const char* argument : arguments) given << QString::fromLocal8Bit(argument);
  parser.parse(given);
  for (const char* name : {"help", "help-all", "version"})
    if (parser.isSet(QString::fromLatin1(name))) return true;
  return false;
}

// Prints what is wrong with the arguments and leaves; returns the number of steps, 0 for
// the window's own.
int stepsOf(const QCommandLineParser& parser) {
  if (!parser.isSet(kSteps)) return 0;
  bool isNumber = false;
  const int steps = parser.value(kSteps).toInt(&isNumber);
  if (isNumber && steps > 0) return steps;
  qCritical("error: --steps needs a whole number of at least 1, but '%s' was given.",
            qPrintable(parser.value(kSteps)));
  std::exit(equipatch::kWrongUsage);
}

void apply(const QCommandLineParser& parser, MainWindow& window) {
  if (const int steps = stepsOf(parser)) window.setSteps(steps);
  if (parser.isSet(kPrompt)) window.setPrompt(parser.value(kPrompt));
  const QString folder = parser.positionalArguments().value(0);
  const bool isRun = QFileInfo(folder).isFile();
  if (isRun) QTimer::singleShot(0, &window, [=, &window] { window.openRun(folder); });
  QTimer::singleShot(0, &window, &MainWindow::greet);
  if (isRun) return;
  if (!folder.isEmpty()) window.setFolder(folder);
  // From the event loop, so that the window is up and failures are shown in it.
  if (parser.isSet(kRun))
    QTimer::singleShot(0, &window, &MainWindow::run);
  else if (!folder.isEmpty())
    QTimer::singleShot(0, &window, &MainWindow::loadChosenModel);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "figure")
    return equipatch::drawFigure(argc, argv);
  QCommandLineParser parser;
  describe(parser);
  if (onlyPrints(parser, {argv, static_cast<std::size_t>(argc)}))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  WindowApplication application(argc, argv);
  parser.process(application);
  equipatch::SessionEngine engine;
  MainWindow window(engine);
  QObject::connect(&application, &WindowApplication::errorCaught, &window,
                   &MainWindow::showError);
  apply(parser, window);
  window.show();
  return WindowApplication::exec();
}
