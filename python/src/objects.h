// Python objects, made in large numbers.
#pragma once

#include "core.h"

namespace hopwave::python {

inline void raise_if(bool failed) {
  if (failed) throw nb::python_error();
}

/// Lists and tuples made in large numbers would start the garbage collector again and again.
class CollectorOff {
 public:
  CollectorOff() : was_on_(PyGC_Disable() != 0) {}
  ~CollectorOff() {
    if (was_on_) PyGC_Enable();
  }
  CollectorOff(const CollectorOff&) = delete;
  CollectorOff& operator=(const CollectorOff&) = delete;

 private:
  bool was_on_;
};

inline nb::object new_list(std::size_t size) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(size));
  raise_if(!list);
  return nb::steal(list);
}
/// Sets an element of a list from new_list(): each is set once.
inline void set(const nb::object& list, std::size_t i, PyObject* item) {
  Py_INCREF(item);
  raise_if(PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), item) < 0);
}
inline PyObject* get(const nb::object& list, std::size_t i) { return PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(i)); }
inline void put(const nb::dict& dict, PyObject* key, const nb::object& value) {
  raise_if(PyDict_SetItem(dict.ptr(), key, value.ptr()) < 0);
}

}  // namespace hopwave::python
