// Whole files: read at once, written whole or not at all.
#pragma once

#include <string>

namespace hopwave::cli {

/// Throws HW-IO-OPEN when it cannot be read; `expected` says what it should have been.
std::string read_file(const std::string& path, const std::string& expected);
/// Throws HW-IO-WRITE if a file of this name cannot be written: its folder is missing or not writable, or it is a folder
/// itself. Asked before long work; OutputFile finds the rest.
void check_output(const std::string& path);
/// Through a temporary name, so that the file appears whole or not at all.
void write_file(const std::string& path, const std::string& text);

}  // namespace hopwave::cli
