// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_json.h"

#include <nlohmann/json.hpp>

#include "core/base/strings.h"
#include "core/record/export/export_json.h"
#include "core/record/lab_result.h"

namespace equipatch {
namespace {

using Object = nlohmann::ordered_json;

Object axis(const FigureAxis& axis) {
  Object object{{"label", axis.label},
                {"scale", axis.scale == FigureScale::Linear ? "linear" : "logarithmic"}};
  if (axis.downwards) object["direction"] = "down";
  if (!axis.names.empty()) object["names"] = axis.names;
  if (!axis.marked.empty())
    object["marked"] = {{"as", axis.markedAs}, {"values", axis.marked}};
  if (axis.limits) object["limits"] = {axis.limits->low, axis.limits->high};
  return object;
}

Object curve(const FigureCurve& curve) {
  Object object{{"name", curve.name}, {"x", curve.x}, {"y", curve.y}};
  if (curve.isReference()) object["reference"] = true;
  if (curve.onRight) object["axis"] = "right";
  if (!curve.lower.empty()) object["lower"] = curve.lower;
  if (!curve.upper.empty()) object["upper"] = curve.upper;
  if (!curve.counts.empty()) object["n"] = curve.counts;
  return object;
}

Object box(const FigureBox& box) {
  Object object{{"name", box.name},     {"values", box.count},
                {"p5", box.low},        {"p25", box.lowerQuartile},
                {"median", box.median}, {"p75", box.upperQuartile},
                {"p95", box.high},      {"outliers", box.outliers}};
  if (box.equal.whole > 0) object["equal_percent"] = box.equal.percent();
  return object;
}

Object map(const FigureMap& map) {
  Object rows = Object::array();
  for (int row = 0; row < map.grid.rows(); ++row) {
    std::vector<float> values;
    for (int column = 0; column < map.grid.columns(); ++column)
      values.push_back(map.grid.at(row, column));
    rows.push_back(values);
  }
  return {{"label", map.label},
          {"x", {{"first", map.x.first}, {"step", map.x.step}}},
          {"y", {{"first", map.y.first}, {"step", map.y.step}}},
          {"rows", rows}};
}

Object pictureObject(const FigurePicture& picture) {
  return {{"picture", replaceInvalidUtf8(picture.name)},
          {"width", picture.width},
          {"height", picture.height}};
}

Object panelObject(const FigurePanel& panel) {
  Object object{{"title", panel.title}, {"x", axis(panel.x)}, {"y", axis(panel.y)}};
  if (panel.right) object["right"] = axis(*panel.right);
  for (const FigureCurve& one : panel.curves) object["curves"].push_back(curve(one));
  for (const FigureMarks& one : panel.marks)
    object["marks"].push_back({{"name", one.name}, {"x", one.x}, {"y", one.y}});
  for (const FigureBox& one : panel.boxes) object["boxes"].push_back(box(one));
  for (const FigureBar& one : panel.bars)
    object["bars"].push_back({{"name", one.name}, {"value", one.share.percent()}});
  if (panel.map) object["map"] = map(*panel.map);
  if (panel.under) object["under"] = pictureObject(*panel.under);
  return object;
}

/// Adds the panel, or one object for each of its pictures.
void addPanel(const FigurePanel& panel, Object& panels) {
  if (panel.pictures.empty()) return panels.push_back(panelObject(panel));
  for (const FigurePicture& picture : panel.pictures) {
    panels.push_back(pictureObject(picture));
    panels.back()["caption"] = &picture == &panel.pictures.front() ? panel.caption : "";
  }
}

}  // namespace

std::string provenanceJson(const LabResult& result) {
  Object lab = toJson(result);
  lab.erase("panels");
  lab.erase("picture");
  std::string line =
      jsonLine({{"program", "Equipatch " EQUIPATCH_VERSION}, {"lab", lab}});
  line.pop_back();
  return line;
}

std::string provenanceJson(const std::vector<std::shared_ptr<const RunHeader>>& headers) {
  Object runs = Object::array();
  for (const auto& header : headers) runs.push_back(runSettings(*header));
  std::string line =
      jsonLine({{"program", "Equipatch " EQUIPATCH_VERSION}, {"runs", runs}});
  line.pop_back();
  return line;
}

std::string figureJson(const Figure& figure) {
  Object object{{"kind", figure.kind}, {"title", figure.title}};
  for (const FigurePanel& panel : figure.panels) addPanel(panel, object["panels"]);
  object["provenance"] = Object::parse(figure.provenance);
  if (!figure.caption.empty()) object["caption"] = figure.caption;
  return jsonLine(object);
}

}  // namespace equipatch
