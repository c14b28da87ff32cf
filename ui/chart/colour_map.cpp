#include "ui/chart/colour_map.h"

#include <algorithm>

namespace equipatch {

void fillColourMap(QCPColorMap& map, const PooledGrid& pooled,
                   const std::function<double(double)>& transform) {
  const int columns = pooled.grid.columns();
  const int layers = pooled.grid.layers();
  QCPColorMapData& data = *map.data();
  if (columns == 0 || layers == 0) return data.clear();
  // QCustomPlot draws no map of a single row or column, so a single one is stored twice,
  // at half the size.
  const int keys = std::max(2, columns);
  const int values = std::max(2, layers);
  const double cell = (pooled.last - pooled.first) / keys;
  const double row = double(layers) / values;
  data.setSize(keys, values);
  data.setRange({pooled.first - 0.5 + cell / 2, pooled.last - 0.5 - cell / 2},
                {row / 2 - 0.5, layers - 0.5 - row / 2});
  for (int k = 0; k < keys; ++k)
    for (int v = 0; v < values; ++v)
      data.setCell(k, v,
                   transform(double(pooled.grid.at(std::min(v, layers - 1),
                                                   std::min(k, columns - 1)))));
}

}  // namespace equipatch
