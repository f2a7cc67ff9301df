// What scripts/mutate writes into its copy of the sources: each function changes one operation if its mutant is the one chosen.
// The environment variable HOPWAVE_MUTANT names the mutant, and is read once. 0: none. -1: none, but each that is reached is
// marked in the file that HOPWAVE_MUTANT_REACHED names.
#pragma once

// A change may leave a comparison that is always true, or a function without its `return`.
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"  // a number written in the source comes as an int

#include <concepts>
#include <type_traits>
#include <utility>

namespace hopwave_mutant {
extern int chosen;  // constant-initialised; set before any other initialiser runs
bool reached(int mutant);
[[gnu::always_inline]] inline bool on(int mutant) { return __builtin_expect(chosen != 0, 0) && reached(mutant); }

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

template <class... T>
struct Same : std::false_type {};
template <class T>
struct Same<T, T> : std::true_type {};
}  // namespace hopwave_mutant

// Twice: a constant expression must not ask which mutant is on, and elsewhere nothing may look like a constant expression, or
// the compiler would compute it without the mutant.
#define HOPWAVE_MUTANT_WORDS(SPACE, CONSTEXPR, ON)                                               \
  namespace SPACE {                                                                              \
  template <int N>                                                                               \
  CONSTEXPR bool is() {                                                                          \
    return N >= 0 && ON(N);                                                                      \
  }                                                                                              \
  HOPWAVE_MUTANT_COMPARE(lt, CONSTEXPR, <, >, <=)                                                \
  HOPWAVE_MUTANT_COMPARE(le, CONSTEXPR, <=, >=, <)                                               \
  HOPWAVE_MUTANT_COMPARE(gt, CONSTEXPR, >, <, >=)                                                \
  HOPWAVE_MUTANT_COMPARE(ge, CONSTEXPR, >=, <=, >)                                               \
  HOPWAVE_MUTANT_COMPARE(eq, CONSTEXPR, ==, !=, ==)                                              \
  HOPWAVE_MUTANT_COMPARE(ne, CONSTEXPR, !=, ==, !=)                                              \
  template <int N, class T>                                                                      \
  CONSTEXPR bool negate(const T& value) {                                                        \
    return static_cast<bool>(value) != is<N>();                                                  \
  }                                                                                              \
  template <int N, hopwave_mutant::Integer T>                                                    \
  CONSTEXPR T more(T value) {                                                                    \
    return is<N>() ? static_cast<T>(value + 1) : value;                                          \
  }                                                                                              \
  template <int N, hopwave_mutant::Integer T>                                                    \
  CONSTEXPR T less(T value) {                                                                    \
    return is<N>() ? static_cast<T>(value - 1) : value;                                          \
  }                                                                                              \
  template <int N, class T>                                                                      \
  CONSTEXPR T constant(T value, T other) {                                                       \
    return is<N>() ? other : value;                                                              \
  }                                                                                              \
  template <int N, class T, class U>                                                             \
  requires hopwave_mutant::Same<std::remove_cvref_t<T>, std::remove_cvref_t<U>>::value CONSTEXPR \
      std::conditional_t<std::is_same_v<T, U>, T, std::remove_cvref_t<T>>                        \
      swapped(T&& own, U&& other) {                                                              \
    if (is<N>()) return static_cast<U&&>(other);                                                 \
    return static_cast<T&&>(own);                                                                \
  }                                                                                              \
  }
#define HOPWAVE_MUTANT_COMPARE(NAME, CONSTEXPR, NORMAL, FLIPPED, BOUNDARY) \
  template <int Flipped, int Boundary, class A, class B>                   \
  CONSTEXPR bool NAME(A a, B b) {                                          \
    if (is<Flipped>()) return a FLIPPED b;                                 \
    if (is<Boundary>()) return a BOUNDARY b;                               \
    return a NORMAL b;                                                     \
  }

#define HOPWAVE_MUTANT_ON(N) hopwave_mutant::on(N)
#define HOPWAVE_MUTANT_ON_CONSTEXPR(N) (!std::is_constant_evaluated() && hopwave_mutant::on(N))
HOPWAVE_MUTANT_WORDS(hw_mut, inline, HOPWAVE_MUTANT_ON)
HOPWAVE_MUTANT_WORDS(hw_mut_c, constexpr, HOPWAVE_MUTANT_ON_CONSTEXPR)
