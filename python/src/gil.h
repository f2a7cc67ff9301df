// Python's lock: released for work that needs no Python, and taken by the extension's own threads.
// Until 3.13, Python ends a thread that asks for the lock while the interpreter ends, as it does with daemon threads.
// It unwinds the thread's stack, which must not pass a destructor: std::terminate would end the process. Here such a
// thread sleeps until the process is gone, as Python itself does from 3.14 on.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace hopwave::python {

/// Returns the result of `call`, or does not return at all. `call` must not throw.
template <class Call>
auto or_sleep(Call&& call) noexcept {
  try {
    return call();
  } catch (...) {  // the unwinding, which must not be stopped
    for (;;) pause();
  }
}

/// For a thread of Python.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    or_sleep([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  /// Takes the lock back for `call`, which must not throw. Python may end the thread in the code that `call` runs:
  /// objects on the thread's stack stay, since other threads may use them.
  template <class Call>
  void in_python(Call&& call) {
    or_sleep([&] {
      PyEval_RestoreThread(state_);
      call();
      state_ = PyEval_SaveThread();
    });
  }

 private:
  PyThreadState* state_;
};

/// For a thread that Python may not know, and only to release an object: once the interpreter has ended, no thread can
/// be registered with it. Calls of Python code use WithoutGil::in_python().
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
