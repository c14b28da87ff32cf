#pragma once

class QScrollArea;
class QWidget;

namespace equipatch {

/// A scroll area that owns `content`, is as wide as its place and scrolls vertically
/// only.
QScrollArea* scrollable(QWidget* content);

}  // namespace equipatch
