// What scripts/exported must refuse: a name in hopwave's namespace that no public header declares.
namespace hopwave {
int not_in_any_header() { return 1; }
}  // namespace hopwave
