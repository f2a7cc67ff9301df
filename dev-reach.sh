D=$PWD/.deps/usr
export LD_LIBRARY_PATH=$D/lib/x86_64-linux-gnu
cmake --preset gpu -DCMAKE_PREFIX_PATH=$D -DHOPWAVE_ZSTD_INCLUDE=$D/include -DHOPWAVE_ZSTD_LIBRARY=$D/lib/x86_64-linux-gnu/libzstd.a -DHOPWAVE_FAST_FLOAT_INCLUDE=$D/include -DHOPWAVE_COMMIT=$C > $OUT/conf.log 2>&1 || { tail -20 $OUT/conf.log; exit 1; }
cmake --build build-gpu --target reach-bench -j 18 > $OUT/build.log 2>&1; echo build rc=$?; date
grep -E "error|FAILED" $OUT/build.log | head -20
timeout 60 build-gpu/reach-bench --check 300 -g rmat:10,8 --sources 100 --json $OUT/check.json
timeout 120 build-gpu/reach-bench --json $OUT/reach.json
S=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
for t in memcheck racecheck initcheck; do timeout 60 $S --tool $t build-gpu/reach-bench --check 6 -g rmat:8,6 --sources 20 --runs 1 2>&1 | tail -3; done
date
