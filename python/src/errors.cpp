// hopwave::Error becomes hopwave.Error, a Python class with the same parts.
#include "core.h"

namespace hopwave::python {

namespace {

void set_error(const Error& error) {
  const Error::Parts& parts = error.parts();
  try {
    nb::object make = nb::module_::import_("hopwave._error").attr("of_library");
    nb::object value = make(error.what(), parts.id.c_str(), parts.hint.c_str(), static_cast<int>(parts.failure),
                            parts.where.file.c_str(), parts.where.line, parts.where.column);
    PyErr_SetObject(value.type().ptr(), value.ptr());
  } catch (nb::python_error& other) {
    other.restore();
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      set_error(error);
    }
  });
}

}  // namespace hopwave::python
