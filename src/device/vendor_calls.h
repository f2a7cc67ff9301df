// The device calls that CUDA's and HIP's runtimes name alike, and the table of all calls. cuda_api.cpp and hip_api.cpp include
// it once, after their own calls and before cuda_api() or hip_api(); it has no names for other files. Before it they
// define HW_RUNTIME(name), which puts the vendor in front: cudaMemcpyAsync or hipMemcpyAsync.
namespace hopwave::device {
namespace {

HW_RUNTIME(Event_t) event_of(EventHandle event) { return static_cast<HW_RUNTIME(Event_t)>(event); }

Status device_count(int* count) {
  *count = 0;
  return done(HW_RUNTIME(GetDeviceCount)(count));
}

Status current(int* device) { return done(HW_RUNTIME(GetDevice)(device)); }
Status use(int device) { return done(HW_RUNTIME(SetDevice)(device)); }

Status copy_out_pinned(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  return done(HW_RUNTIME(MemcpyAsync)(to, from, bytes, HW_RUNTIME(MemcpyDeviceToHost), raw(stream)));
}
Status copy(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  return done(HW_RUNTIME(MemcpyAsync)(to, from, bytes, HW_RUNTIME(MemcpyDeviceToDevice), raw(stream)));
}
Status fill(void* p, int byte, std::size_t bytes, StreamHandle stream) {
  return done(HW_RUNTIME(MemsetAsync)(p, byte, bytes, raw(stream)));
}

Status stream_wait(StreamHandle stream) { return done(HW_RUNTIME(StreamSynchronize)(raw(stream))); }
Status stream_done(StreamHandle stream, bool* is_done) {
  const HW_RUNTIME(Error_t) e = HW_RUNTIME(StreamQuery)(raw(stream));
  *is_done = e == HW_RUNTIME(Success);
  return done(e == HW_RUNTIME(ErrorNotReady) ? HW_RUNTIME(Success) : e);
}

Status event_create(EventHandle* event) {
  HW_RUNTIME(Event_t) e = nullptr;
  const Status s = done(HW_RUNTIME(EventCreate)(&e));
  *event = e;
  return s;
}
Status event_destroy(EventHandle event) { return done(HW_RUNTIME(EventDestroy)(event_of(event))); }
Status event_record(EventHandle event, StreamHandle stream) {
  return done(HW_RUNTIME(EventRecord)(event_of(event), raw(stream)));
}
Status event_wait(EventHandle event) { return done(HW_RUNTIME(EventSynchronize)(event_of(event))); }
Status event_elapsed(float* milliseconds, EventHandle from, EventHandle to) {
  return done(HW_RUNTIME(EventElapsedTime)(milliseconds, event_of(from), event_of(to)));
}

bool has_driver() {
  int version = 0;
  return HW_RUNTIME(DriverGetVersion)(&version) == HW_RUNTIME(Success) && version > 0;
}

/// What both have; the vendor adds the rest.
constexpr Api common_calls(const char* name) {
  return {.name = name,
          .device_count = device_count,
          .properties = properties,
          .current = current,
          .use = use,
          .memory = memory,
          .allocate = allocate,
          .release = release,
          .allocate_pinned = allocate_pinned,
          .release_pinned = release_pinned,
          .copy_in = copy_in,
          .copy_out = copy_out,
          .copy_out_pinned = copy_out_pinned,
          .copy = copy,
          .fill = fill,
          .stream_create = stream_create,
          .stream_adopt = stream_adopt,
          .stream_destroy = stream_destroy,
          .stream_wait = stream_wait,
          .stream_done = stream_done,
          .event_create = event_create,
          .event_destroy = event_destroy,
          .event_record = event_record,
          .event_wait = event_wait,
          .event_elapsed = event_elapsed,
          .launch_waits = false,
          .has_driver = has_driver,
          .message = message,
          .is_out_of_memory = is_out_of_memory,
          .is_sticky = is_sticky};
}

}  // namespace
}  // namespace hopwave::device

#undef HW_RUNTIME
