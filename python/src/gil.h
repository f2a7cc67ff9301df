// Python's lock: given up for work that needs no Python, and taken by threads of ours.
// Until 3.13 Python ends a thread that asks for the lock while the interpreter ends, as daemon threads do: it unwinds the
// thread's stack, which no destructor may be left by, so that std::terminate would end the process. Here such a thread sleeps
// until the process is gone, as Python itself has it from 3.14 on.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace hopwave::python {

/// What `take` gives, or no return at all.
template <class Take>
auto or_sleep(Take&& take) noexcept {
  try {
    return take();
  } catch (...) {  // the unwinding, which nobody may stop
    for (;;) pause();
  }
}

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    or_sleep([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

class WithGil {
 public:
  WithGil() : state_(or_sleep([] { return PyGILState_Ensure(); })) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace hopwave::python
