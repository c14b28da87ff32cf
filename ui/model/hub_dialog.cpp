// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/hub_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QMetaObject>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/number_format.h"
#include "core/hub/known_models.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

constexpr int kPerMille = 1000;
constexpr int kTreeRowPadding = 7;  // pixels, above and below the text together
constexpr QSize kSize(640, 620);

QString sizeText(std::uint64_t bytes) {
  return QString::fromStdString(bytesText(static_cast<std::int64_t>(bytes)));
}

QTreeWidget* makeTable(QWidget* parent, const QString& name, const QStringList& titles) {
  auto* table = new QTreeWidget(parent);
  table->setObjectName(name);
  table->setAccessibleName(titles.first());
  table->setHeaderLabels(titles);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setAlternatingRowColors(true);
  table->header()->setStretchLastSection(false);
  table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  return table;
}

QTreeWidgetItem* addRow(QTreeWidget& table, const QStringList& texts, int numberColumn) {
  auto* row = new QTreeWidgetItem(&table, texts);
  row->setTextAlignment(numberColumn, Qt::AlignRight | Qt::AlignVCenter);
  row->setSizeHint(0, QSize(0, table.fontMetrics().height() + kTreeRowPadding));
  return row;
}

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

/// Called only on the worker's thread, which ends before the dialog is destroyed.
class HubDialog::Sink final : public HubSink {
 public:
  explicit Sink(HubDialog& owner) : m_owner(owner) {}

  void modelOffered(std::shared_ptr<const HubOffer> offer) override {
    post([offer = std::move(offer)](HubDialog& owner) { owner.showOffer(offer); });
  }
  void modelArrived(std::shared_ptr<const HubModel> model) override {
    // A name without a revision means "main" even if the cache has other revisions.
    const HubName& arrived = model->name;
    const bool isMain = arrived.revision == HubName().revision;
    const QString name = QString::fromStdString(
        isMain ? arrived.repository : arrived.repository + "@" + arrived.revision);
    post([name, commit = QString::fromStdString(model->commit)](HubDialog& owner) {
      owner.handleArrival(name, commit);
    });
  }
  void cacheRead(std::shared_ptr<const std::vector<CachedSnapshot>> cache) override {
    post([cache = std::move(cache)](HubDialog& owner) { owner.showCache(cache); });
  }

 private:
  template <typename Event>
  void post(Event event) {
    QMetaObject::invokeMethod(
        &m_owner, [owner = &m_owner, event = std::move(event)] { event(*owner); },
        Qt::QueuedConnection);
  }

  HubDialog& m_owner;
};

HubDialog::HubDialog(QWidget* parent)
    : QDialog(parent),
      m_pages(new QTabWidget(this)),
      m_message(makeText({}, this)),
      m_progress(new QProgressBar(this)),
      m_sink(std::make_shared<Sink>(*this)),
      m_worker(m_bridge) {
  setObjectName(QStringLiteral("hubDialog"));
  setWindowTitle(tr("Models on the Hugging Face hub"));
  m_pages->addTab(makeGetPage(), tr("Get a model"));
  m_pages->addTab(makeCachePage(), tr("In the cache"));
  m_message->setObjectName(QStringLiteral("hubMessage"));
  m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_message->setMinimumHeight(3 * fontMetrics().lineSpacing());
  m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_progress->setRange(0, kPerMille);
  m_progress->setTextVisible(false);
  QSizePolicy policy = m_progress->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  m_progress->setSizePolicy(policy);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_load =
      buttons->addButton(tr("&Load the downloaded model"), QDialogButtonBox::ActionRole);
  m_load->setObjectName(QStringLiteral("hubLoad"));
  m_cancel = buttons->addButton(tr("S&top"), QDialogButtonBox::ActionRole);
  m_cancel->setObjectName(QStringLiteral("hubStop"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(m_pages);
  column->addWidget(m_message);
  column->addWidget(m_progress);
  column->addWidget(buttons);
  resizeWithinScreen(*this, kSize);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_cancel, &QPushButton::clicked, this, [this] { m_worker.stop(); });
  connect(m_load, &QPushButton::clicked, this,
          [this] { Q_EMIT loadRequested(m_arrived); });
  connect(
      &m_bridge, &WorkerBridge::progressed, this,
      [this](double fraction, const QString& label) {
        m_progress->setValue(int(fraction * kPerMille));
        if (!m_firstFraction) {
          m_firstFraction = fraction;  // not 0 if an earlier attempt left files
          m_watch = {};
        }
        const std::chrono::duration<double, std::milli> elapsed(m_watch.milliseconds());
        const auto left = remainingTime(elapsed, fraction, *m_firstFraction);
        m_message->setText(
            left ? tr("%1, about %2 left")
                       .arg(label, QString::fromStdString(durationText(*left)))
                 : label);
      });
  connect(&m_bridge, &WorkerBridge::failed, this,
          [this](const QString& sentence) { ended(sentence, true); });
  connect(&m_bridge, &WorkerBridge::cancelled, this, [this] {
    ended(m_doing == Doing::Downloading
              ? tr("Stopped; what is downloaded is kept, and the next attempt continues "
                   "from there.")
              : tr("Stopped."));
  });
  connect(&m_bridge, &WorkerBridge::finished, this, [this] {
    if (m_doing == Doing::Cache) ended(m_message->text());
  });
  refreshButtons();
}

QWidget* HubDialog::makeGetPage() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout;
  m_name = new QLineEdit(page);
  m_name->setObjectName(QStringLiteral("hubName"));
  m_name->setPlaceholderText(tr("owner/name, as the model's page shows it"));
  m_revision = new QLineEdit(page);
  m_revision->setObjectName(QStringLiteral("hubRevision"));
  m_revision->setPlaceholderText(tr("main"));
  form->addRow(tr("&Model"), m_name);
  form->addRow(tr("&Revision"), m_revision);
  m_known = makeTable(
      page, QStringLiteral("hubKnown"),
      {tr("Small models to begin with"), tr("Size"), tr("Licence"), tr("Token")});
  for (const KnownModel& model : kKnownModels) {
    const auto size = static_cast<std::uint64_t>(model.gigabytes * 1e9);
    auto* row = addRow(
        *m_known,
        {QString::fromUtf8(model.name), sizeText(size), QString::fromUtf8(model.licence),
         model.needsToken ? tr("needed") : tr("no")},
        1);
    row->setToolTip(
        0, tr("About %1 of memory, as stored")
               .arg(sizeText(static_cast<std::uint64_t>(model.gigabytes * 1.1e9))));
  }
  m_files = makeTable(page, QStringLiteral("hubFiles"), {tr("Files"), tr("Size")});
  m_list = new QPushButton(tr("List &files"), page);
  m_list->setObjectName(QStringLiteral("hubList"));
  m_download = new QPushButton(tr("&Download"), page);
  m_download->setObjectName(QStringLiteral("hubDownload"));
  auto* row = new QHBoxLayout;
  row->addStretch();
  row->addWidget(m_list);
  row->addWidget(m_download);
  auto* column = new QVBoxLayout(page);
  column->addLayout(form);
  column->addWidget(m_known, 3);
  column->addLayout(row);
  column->addWidget(m_files, 2);
  const auto choose = [this](const QTreeWidgetItem* item) {
    m_name->setText(item->text(0));
    m_revision->clear();
  };
  connect(m_known, &QTreeWidget::itemClicked, this, choose);  // even if selected already
  connect(m_known, &QTreeWidget::itemSelectionChanged, this, [this, choose] {
    const QList<QTreeWidgetItem*> chosen = m_known->selectedItems();
    if (!chosen.isEmpty()) choose(chosen.front());
  });
  connect(m_name, &QLineEdit::textChanged, this, &HubDialog::refreshButtons);
  connect(m_revision, &QLineEdit::textChanged, this, &HubDialog::refreshButtons);
  connect(m_name, &QLineEdit::returnPressed, this, &HubDialog::list);
  connect(m_list, &QPushButton::clicked, this, &HubDialog::list);
  connect(m_download, &QPushButton::clicked, this, &HubDialog::download);
  return page;
}

QWidget* HubDialog::makeCachePage() {
  auto* page = new QWidget(this);
  m_cache =
      makeTable(page, QStringLiteral("hubCache"), {tr("Model"), tr("Deleting frees")});
  m_emptyCache = new FittingLabel(m_cache->viewport());
  m_emptyCache->setObjectName(QStringLiteral("hubCacheEmpty"));
  m_emptyCache->setText(
      tr("The cache has no model yet; “Get a model” downloads one into it."));
  m_emptyCache->hide();  // until the cache is read
  (new QVBoxLayout(m_cache->viewport()))->addWidget(m_emptyCache);
  m_delete = new QPushButton(tr("Delete from the &cache"), page);
  m_delete->setObjectName(QStringLiteral("hubDelete"));
  m_delete->setAutoDefault(false);
  auto* column = new QVBoxLayout(page);
  column->addWidget(
      makeText(tr("Models that this program or others downloaded. A deleted "
                  "model can be downloaded again."),
               page));
  column->addWidget(m_cache);
  column->addWidget(m_delete, 0, Qt::AlignRight);
  connect(m_cache, &QTreeWidget::itemSelectionChanged, this, &HubDialog::refreshButtons);
  connect(m_delete, &QPushButton::clicked, this, &HubDialog::askToDelete);
  return page;
}

void HubDialog::open() {
  if (m_doing == Doing::Nothing) begin(Doing::Cache, makeHubCacheJob({}, m_sink));
  show();
  raise();
  m_name->setFocus();
}

void HubDialog::begin(Doing what, std::unique_ptr<Job> job) {
  m_doing = what;
  m_progress->setValue(0);
  m_firstFraction.reset();
  m_bridge.follow(m_worker.start(std::move(job)));
  refreshButtons();
}

void HubDialog::ended(const QString& sentence, bool isProblem) {
  m_doing = Doing::Nothing;
  m_deletion.clear();
  m_progress->setValue(0);
  const bool endsAlready = sentence.isEmpty() || sentence.endsWith(u'.');
  const QString whole = endsAlready ? sentence : sentence + u'.';
  m_message->setText(isProblem ? sentenceText(whole) : sentence);
  refreshButtons();
}

void HubDialog::list() {
  const QString name = m_name->text().trimmed();
  if (name.isEmpty() || m_doing != Doing::Nothing) return;
  m_offer.reset();
  m_files->clear();
  begin(Doing::Listing,
        makeHubOfferJob(name.toStdString(), m_revision->text().trimmed().toStdString(),
                        m_sink));
}

void HubDialog::download() {
  if (m_offer && m_doing == Doing::Nothing)
    begin(Doing::Downloading, makeHubDownloadJob(m_offer, m_sink));
}

void HubDialog::askToDelete() {
  const QList<QTreeWidgetItem*> chosen = m_cache->selectedItems();
  if (chosen.isEmpty() || m_doing != Doing::Nothing) return;
  const QString folder = chosen.front()->data(0, Qt::UserRole).toString();
  const QString name = chosen.front()->text(0), size = chosen.front()->text(1);
  auto* box = new QMessageBox(QMessageBox::Question, m_delete->text().remove(u'&'),
                              tr("Delete %1 from the cache? This frees %2. Other "
                                 "programs that use the cache lose "
                                 "the model, too; it can be downloaded again.")
                                  .arg(name, size),
                              QMessageBox::NoButton, this);
  box->setObjectName(QStringLiteral("hubDeleteQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  QAbstractButton* confirm = box->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
  auto* cancel = box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(cancel);
  box->setEscapeButton(cancel);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
    if (clicked == confirm) deleteModel(folder, name, size);
  });
  box->open();
}

void HubDialog::deleteModel(const QString& folder, const QString& name,
                            const QString& size) {
  if (m_doing != Doing::Nothing) return;
  m_deletion = tr("%1 is deleted from the cache, which freed %2.").arg(name, size);
  m_isMissing = true;
  begin(Doing::Cache, makeHubCacheJob(folder.toStdString(), m_sink));
}

void HubDialog::showOffer(const std::shared_ptr<const HubOffer>& offer) {
  m_offer = offer;
  m_isMissing = offer->missing > 0;
  for (const HubFile& file : offer->model.files)
    addRow(*m_files, {QString::fromStdString(file.name), sizeText(file.bytes)}, 1);
  const QString name = QString::fromStdString(offer->model.name.repository);
  ended(offer->missing == 0
            ? tr("%1 is in the cache already, all %2 of it.")
                  .arg(name, sizeText(offer->model.bytes()))
            : tr("%1 has %2, of which %3 are to be downloaded.")
                  .arg(name, sizeText(offer->model.bytes()), sizeText(offer->missing)));
}

void HubDialog::showCache(
    const std::shared_ptr<const std::vector<CachedSnapshot>>& cache) {
  m_cache->clear();
  m_emptyCache->setVisible(cache->empty());
  for (const CachedSnapshot& model : *cache) {
    auto* row =
        addRow(*m_cache, {QString::fromStdString(model.name), sizeText(model.bytes)}, 1);
    row->setData(0, Qt::UserRole, QString::fromStdString(model.folder.string()));
  }
  // Forget the downloaded model if it was deleted. A snapshot's folder is named after its
  // commit.
  if (std::ranges::none_of(*cache, [this](const CachedSnapshot& model) {
        return model.folder.filename() == m_arrivedCommit.toStdString() &&
               model.name.starts_with(m_arrived.section(u'@', 0, 0).toStdString() + "@");
      }))
    m_arrived.clear();
  if (!m_deletion.isEmpty()) m_message->setText(m_deletion);
  refreshButtons();
  Q_EMIT cacheChanged();
}

void HubDialog::handleArrival(const QString& name, const QString& commit) {
  m_arrived = name;
  m_arrivedCommit = commit;
  m_isMissing = false;
  ended(tr("%1 is in the cache now.").arg(name));
  begin(Doing::Cache, makeHubCacheJob({}, m_sink));
}

void HubDialog::refreshButtons() {
  const bool isIdle = m_doing == Doing::Nothing;
  m_progress->setVisible(m_doing == Doing::Listing || m_doing == Doing::Downloading);
  const auto isShown = [this] {
    const HubName& offered = m_offer->model.name;
    const QString word = m_name->text().trimmed();
    QString revision = m_revision->text().trimmed();  // as in HubName::parse
    if (revision.isEmpty())
      revision = word.contains(u'@') ? word.section(u'@', 1)
                                     : QString::fromStdString(HubName().revision);
    return word.section(u'@', 0, 0) == QString::fromStdString(offered.repository) &&
           revision == QString::fromStdString(offered.revision);
  };
  m_list->setEnabled(isIdle && !m_name->text().trimmed().isEmpty());
  m_download->setEnabled(isIdle && m_offer && m_isMissing && isShown());
  m_cancel->setEnabled(m_doing == Doing::Listing || m_doing == Doing::Downloading);
  m_load->setEnabled(!m_arrived.isEmpty());
  m_delete->setEnabled(isIdle && !m_cache->selectedItems().isEmpty());
}

}  // namespace equipatch
