// Result files: format and compression by the ending of their name, and cells that hold names.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "hopwave/io.h"
#include "io/sink.h"

namespace hopwave::cli {

class Context;
class RowText;

/// The ending in lower case without .gz or .zst; empty for "-" and where there is none. Throws Error HW-FORMAT-WRITE if it is
/// not one of `known`, so that no file has a misleading name.
std::string ending_of(const std::string& path, std::initializer_list<std::string_view> known, const char* hint);
/// For files of lines: .txt, .tsv or no ending.
void check_text_ending(const std::string& path);

/// Throws HW-USAGE-OPTION where `output` and --json both want standard output.
void check_one_output(const Context& context, const std::string& output);
/// Throws HW-USAGE-OPTION where two outputs are one file: the second would replace the first. Either may be empty.
void check_two_outputs(const std::string& first, const std::string& second, const char* options);

/// An output file that is compressed if its name ends in .gz or .zst.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path) : file_(path), sink_(io::make_sink(file_, path, 3)) {}
  void write(std::string_view bytes) { sink_->write(bytes); }
  void commit() {
    sink_->finish();
    file_.commit();
  }

 private:
  OutputFile file_;
  std::unique_ptr<io::Sink> sink_;
};

/// A text as such a file.
void write_result(const std::string& path, std::string_view text);

/// A name as a cell of a row, quoted if it would be misread: it holds the separator, a line break, or begins
/// with a quote (in CSV: holds one).
void put_cell(std::string_view name, char separator, RowText& text);

}  // namespace hopwave::cli
