//! Tells the linker that the symbols of Node come from the program that loads the library.

fn main() {
    napi_build::setup();
}
