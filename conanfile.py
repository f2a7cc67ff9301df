"""Conan 2 recipe over the system's packages: conan create . --test-folder tests/conan

hopwave's own dependencies come from the distribution (docs/install.md), so that a program has one zlib and one fmt. With
-c tools.system.package_manager:mode=install Conan installs what is missing; otherwise it names it.
"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt


class Hopwave(ConanFile):
    name = "hopwave"
    description = "Breadth-first search and graph traversal on GPUs and CPUs"
    license = "Apache-2.0"
    topics = ("graph", "bfs", "gpu", "cuda")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "cuda": ["AUTO", "ON", "OFF"]}
    default_options = {"shared": True, "fPIC": True, "cuda": "AUTO"}
    exports_sources = "CMakeLists.txt", "cmake/*", "src/*", "include/*", "LICENSE", "docs/third-party.md", "docs/notices.txt"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"project\(hopwave VERSION ([\d.]+)", text)[1]

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def system_requirements(self):
        Apt(self).install(["libfmt-dev", "zlib1g-dev", "libpng-dev", "libzstd-dev", "libexpat1-dev", "nlohmann-json3-dev", "libfast-float-dev"])

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["HOPWAVE_BUILD_TESTS"] = False
        toolchain.cache_variables["HOPWAVE_BUILD_TOOL"] = False
        toolchain.cache_variables["HOPWAVE_BUILD_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["HOPWAVE_CUDA"] = str(self.options.cuda)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for component in ["library", "dev"] if self.options.shared else ["dev"]:
            CMake(self).install(component=component)
        for notice in ("LICENSE", "docs/third-party.md", "docs/notices.txt"):
            copy(self, os.path.basename(notice), os.path.join(self.source_folder, os.path.dirname(notice)),
                 os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package's own CMake files are used: they name the libraries that a static link needs.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "hopwave")]
        self.cpp_info.libs = ["hopwave"]
