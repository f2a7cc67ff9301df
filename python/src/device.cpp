// Arrays in device memory: graphs of the caller's arrays, and answers that stay there. In the simulator they are in
// host memory.
#include "device.h"

#include <nanobind/stl/string.h>

#include <string>

namespace hopwave::python {

namespace {

/// An array as Python describes it: its address, and the bits of a value.
struct Described {
  std::uintptr_t address = 0;
  int bits = 0;
};

const std::uint32_t* narrow(const Described& a) {
  return a.bits == 32 ? reinterpret_cast<const std::uint32_t*>(a.address) : nullptr;
}
const std::uint64_t* wide(const Described& a) {
  return a.bits == 64 ? reinterpret_cast<const std::uint64_t*>(a.address) : nullptr;
}

/// Returns a reference that any thread may release.
std::shared_ptr<const void> held(nb::object object) {
  return {new nb::object(std::move(object)), [](const void* kept) {
            const WithGil taken;
            delete static_cast<const nb::object*>(kept);
          }};
}

HeldDeviceGraph device_graph(VertexId num_vertices, EdgeIndex num_arcs, bool directed, nb::tuple out, nb::tuple in,
                             nb::object owner, const std::string& device, int ordinal, std::uintptr_t stream, nb::object kept) {
  const auto described = [](nb::handle of) { return Described{nb::cast<std::uintptr_t>(of[0]), nb::cast<int>(of[1])}; };
  DeviceArrays arrays{.num_vertices = num_vertices, .num_arcs = num_arcs, .directed = directed};
  const Described offsets = described(out[0]);
  arrays.offsets32 = narrow(offsets);
  arrays.offsets64 = wide(offsets);
  arrays.neighbors = narrow(described(out[1]));
  if (in.size() != 0) {
    const Described in_offsets = described(in[0]);
    arrays.in_offsets32 = narrow(in_offsets);
    arrays.in_offsets64 = wide(in_offsets);
    arrays.in_neighbors = narrow(described(in[1]));
  }
  arrays.owner = held(std::move(owner));
  const DeviceKind kind = device_kind(device);
  // The stream outlives the graph. As for a searcher, the garbage collector does not see this reference.
  const auto end = [stream_kept = held(std::move(kept))](ResidentGraph* graph) { delete graph; };
  const WithoutGil released;
  return {std::shared_ptr<ResidentGraph>(new ResidentGraph(ResidentGraph::from_device(
                                             arrays, kind, {.ordinal = ordinal, .stream = reinterpret_cast<void*>(stream)})),
                                         end)};
}

/// The interfaces of NumPy and of CUDA libraries differ only in their name.
nb::dict array_interface(const DeviceView& view) {
  nb::dict d;
  d["shape"] = nb::make_tuple(view.size());
  d["typestr"] = "<i4";  // "no vertex" is all ones, which is -1
  d["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(view.address()), false);
  d["version"] = 3;
  d["strides"] = nb::none();
  return d;
}

using Everywhere = nb::ndarray<nb::array_api, std::int32_t>;

nb::object dlpack(nb::handle self, nb::kwargs words) {
  const auto& view = nb::cast<const DeviceView&>(self);
  const std::size_t size = view.size();
  // The answer is complete: no stream has to be waited for.
  Everywhere array(view.address(), 1, &size, self, nullptr, nb::dtype<std::int32_t>(),
                   view.on_gpu ? nb::device::cuda::value : nb::device::cpu::value, view.ordinal);
  return nb::cast(array).attr("__dlpack__")(**words);
}

}  // namespace

void bind_device(nb::module_& module) {
  nb::class_<HeldDeviceGraph>(module, "DeviceGraph")
      .def_prop_ro("num_vertices", [](const HeldDeviceGraph& g) { return g.graph->num_vertices(); })
      .def_prop_ro("num_arcs", [](const HeldDeviceGraph& g) { return g.graph->num_arcs(); })
      .def_prop_ro("directed", [](const HeldDeviceGraph& g) { return g.graph->directed(); })
      .def_prop_ro("device", [](const HeldDeviceGraph& g) { return device_name(g.graph->device()); })
      .def("download", [](const HeldDeviceGraph& g) {
        const WithoutGil released;
        return HeldGraph{std::make_shared<const Graph>(g.graph->download())};
      });
  module.def("device_graph", &device_graph,
             nb::sig("def device_graph(num_vertices: int, num_arcs: int, directed: bool, out: tuple[tuple[int, int], ...], "
                     "in_: tuple[tuple[int, int], ...], owner: object, device: str, ordinal: int, stream: int, "
                     "kept: tuple[object, ...]) -> DeviceGraph"));
  nb::class_<DeviceView>(module, "DeviceView", "An array of an answer that stays in its memory, until the next search.")
      .def_prop_ro("valid", [](const DeviceView& v) { return v.result.valid(); })
      .def_prop_ro("on_gpu", [](const DeviceView& v) { return v.on_gpu; })
      .def("__len__", &DeviceView::size)
      .def_prop_ro(
          "__array_interface__",
          [](const DeviceView& v) {
            if (v.on_gpu) throw nb::attribute_error("the array is in a GPU's memory");
            return array_interface(v);
          },
          nb::sig("def __array_interface__(self) -> dict[str, typing.Any]"))
      .def_prop_ro(
          "__cuda_array_interface__",
          [](const DeviceView& v) {
            if (!v.on_gpu) throw nb::attribute_error("the array is in the host's memory");
            return array_interface(v);
          },
          nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"))
      .def("__dlpack__", &dlpack, nb::sig("def __dlpack__(self, **words: typing.Any) -> typing.Any"))
      .def(
          "__dlpack_device__",
          [](const DeviceView& v) {
            return nb::make_tuple(v.on_gpu ? nb::device::cuda::value : nb::device::cpu::value, v.on_gpu ? v.ordinal : 0);
          },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"));
}

}  // namespace hopwave::python
