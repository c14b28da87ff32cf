// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Precompiled for the ui and its tests; sources must stand alone without it (preset
// no-pch).
#include <QtWidgets>
#include <memory>
#include <string>
#include <vector>

#include "ui/qcp.h"
