// Whether a text is well-formed XML: elements closed in order, attributes quoted and given once, only known entities.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hopwave::test {

class XmlChecker {
 public:
  explicit XmlChecker(std::string_view text) : text_(text) {}

  /// Empty if well-formed; else what is wrong and where.
  std::string fault() {
    if (const std::size_t at = no_utf8(); at < text_.size()) return "no UTF-8 at byte " + std::to_string(at);
    bool root = false;
    while (at_ < text_.size()) {
      if (text_[at_] == '<') {
        if (const auto wrong = tag(root); !wrong.empty()) return wrong + " at byte " + std::to_string(at_);
      } else {
        if (open_.empty() && !std::isspace(static_cast<unsigned char>(text_[at_]))) return "text outside the root";
        if (const auto wrong = character(); !wrong.empty()) return wrong + " at byte " + std::to_string(at_);
      }
    }
    return !root ? "no element" : open_.empty() ? "" : "<" + open_.back() + "> is not closed";
  }

 private:
  /// The first byte that is no UTF-8, or that begins U+FFFE or U+FFFF; the size if there is none.
  [[nodiscard]] std::size_t no_utf8() const {
    const auto byte = [&](std::size_t i) { return i < text_.size() ? static_cast<unsigned char>(text_[i]) : 0u; };
    const auto more = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) < 0xC0; };
    for (std::size_t at = 0; at < text_.size();) {
      const unsigned a = byte(at), b = byte(at + 1);
      const bool two = a >= 0xC2 && a < 0xE0 && more(at + 1);
      const bool three = a >= 0xE0 && a < 0xF0 && more(at + 1) && more(at + 2) && (a != 0xE0 || b >= 0xA0) &&
                         (a != 0xED || b < 0xA0) && (a != 0xEF || b != 0xBF || byte(at + 2) < 0xBE);
      const bool four = a >= 0xF0 && a < 0xF5 && more(at + 1) && more(at + 2) && more(at + 3) && (a != 0xF0 || b >= 0x90) &&
                        (a != 0xF4 || b < 0x90);
      if (a >= 0x80 && !two && !three && !four) return at;
      at += a < 0x80 ? 1 : two ? 2 : three ? 3 : 4;
    }
    return text_.size();
  }

  std::string character() {
    const char c = text_[at_];
    if (c == '>') return "a bare >";
    if (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') return "a control character";
    if (c == '&') {
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
        if (text_.substr(at_).starts_with(entity)) return at_ += entity.size(), "";
      return "a bare &";
    }
    ++at_;
    return "";
  }

  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string tag(bool& root) {
    if (take("</")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed || !take(">")) return "</" + closed + "> closes nothing";
      open_.pop_back();
      return "";
    }
    ++at_;
    const std::string opened = name();
    if (opened.empty()) return "a bare <";
    if (open_.empty() && root) return "a second root";
    root = true;
    for (std::set<std::string> met;;) {
      blanks();
      if (take("/>")) return "";
      if (take(">")) return open_.push_back(opened), "";
      const std::string attribute = name();
      if (attribute.empty() || !met.insert(attribute).second || !take("=\"")) return "a bad attribute of <" + opened + ">";
      while (at_ < text_.size() && text_[at_] != '"')
        if (text_[at_] == '<')
          return "a < in an attribute";
        else if (const auto wrong = character(); !wrong.empty())
          return wrong;
      if (!take("\"")) return "an attribute that does not end";
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
};

inline std::string xml_fault(std::string_view text) { return XmlChecker(text).fault(); }

}  // namespace hopwave::test
