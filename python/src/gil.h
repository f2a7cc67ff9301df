// Python's lock: given up for work that needs no Python, and taken by threads of ours.
// Until 3.13 Python ends a thread that asks for the lock while the interpreter ends, as daemon threads do: it unwinds the
// thread's stack, which no destructor may be left by, so that std::terminate would end the process. Here such a thread sleeps
// until the process is gone, as Python itself has it from 3.14 on.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace hopwave::python {

/// What `call` gives, or no return at all. It must not throw.
template <class Call>
auto or_sleep(Call&& call) noexcept {
  try {
    return call();
  } catch (...) {  // the unwinding, which nobody may stop
    for (;;) pause();
  }
}

/// For a thread of Python's.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    or_sleep([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  /// Takes the lock back for `call`, which must not throw. Python code that it runs may be ended like the thread itself: what
  /// the thread holds on its stack stays there, since other threads may be at work on it.
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

/// For a thread that may be unknown to Python, and for no more than giving back an object: once the interpreter has ended,
/// no thread can be made known to it. Whatever calls Python code goes through WithoutGil::in_python().
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
