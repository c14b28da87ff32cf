#pragma once

class QScrollArea;
class QWidget;

namespace equipatch {

/// `content` in an area as wide as its place, which scrolls up and down only. Owns it.
QScrollArea* scrollable(QWidget* content);

}  // namespace equipatch
