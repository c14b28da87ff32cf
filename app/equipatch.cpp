// The window: equipatch [MODELDIR | RUN.eqrun] [--prompt TEXT] [--steps N] [--run]
// Figures without it: equipatch figure --run RUN.eqrun --kind KIND --out FILE …

#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>
#include <span>
#include <string_view>

#include "app/application.h"
#include "app/figure_command.h"
#include "app/window_options.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

namespace {

using equipatch::MainWindow;
using equipatch::WindowApplication;
using equipatch::WindowOptions;

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
int stepsOf(const QCommandLineParser& parser, const WindowOptions& options) {
  if (!parser.isSet(options.steps)) return 0;
  bool isNumber = false;
  const int steps = parser.value(options.steps).toInt(&isNumber);
  if (isNumber && steps > 0) return steps;
  qCritical("error: --steps needs a whole number of at least 1, but '%s' was given.",
            qPrintable(parser.value(options.steps)));
  std::exit(equipatch::kWrongUsage);
}

void apply(const QCommandLineParser& parser, const WindowOptions& options,
           MainWindow& window) {
  if (const int steps = stepsOf(parser, options)) window.setSteps(steps);
  if (parser.isSet(options.prompt)) window.setPrompt(parser.value(options.prompt));
  const QString folder = parser.positionalArguments().value(0);
  const bool isRun = QFileInfo(folder).isFile();
  if (isRun) QTimer::singleShot(0, &window, [=, &window] { window.openRun(folder); });
  QTimer::singleShot(0, &window, &MainWindow::greet);
  if (isRun) return;
  if (!folder.isEmpty()) window.setFolder(folder);
  // From the event loop, so that the window is up and failures are shown in it.
  if (parser.isSet(options.run))
    QTimer::singleShot(0, &window, &MainWindow::run);
  else if (!folder.isEmpty())
    QTimer::singleShot(0, &window, &MainWindow::loadChosenModel);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "figure")
    return equipatch::drawFigure(argc, argv);
  if (const auto exitCode = equipatch::printPage(argc, argv)) return *exitCode;
  QCommandLineParser parser;
  const WindowOptions options;
  options.addTo(parser);
  if (onlyPrints(parser, {argv, static_cast<std::size_t>(argc)}))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  WindowApplication application(argc, argv);
  parser.process(application);
  equipatch::SessionEngine engine;
  MainWindow window(engine);
  QObject::connect(&application, &WindowApplication::errorCaught, &window,
                   &MainWindow::showError);
  apply(parser, options, window);
  window.show();
  return WindowApplication::exec();
}
