// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/hub/http.h"

namespace equipatch {

struct HubFile {
  std::string name;
  std::uint64_t bytes = 0;
  /// ETag and name of the blob in the cache: SHA-256 (64 digits) of a file in Git LFS,
  /// git's blob hash (40 digits) of any other file.
  std::string hash;
};

/// A model's revision on the hub.
struct HubListing {
  std::string commit;
  std::set<std::string> files;  ///< names in the top folder that are safe on disk
};

/// Upper-case digits give false.
bool isHexadecimal(const std::string& text, std::size_t length);

/// Reads the answer of /api/models/NAME/revision/REVISION.
/// @param source names the answer in errors
/// @throws Error{BadInput} when the answer is malformed.
HubListing parseHubListing(const std::string& page, const std::string& source);

/// Reads the names of weight files from model.safetensors.index.json.
/// @throws Error{BadInput} when `index` is malformed or names a file that is not in the
/// listing.
std::set<std::string> parseShards(const std::string& index, const HubListing& listing,
                                  const std::string& source);

/// Reads a file's size and hash from the answer to a HEAD request.
/// @param commit that was requested
/// @param what names the file in errors
/// @throws Error{BadInput} when the answer is about another commit, or its size or hash
/// is missing or invalid.
HubFile parseHubFile(const HttpHead& head, const std::string& file,
                     const std::string& commit, const std::string& what);

}  // namespace equipatch
