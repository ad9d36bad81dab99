//! Films as their viewers see them.

/// The frames of a film as whole screens of colours, by the decoder of its crate, with how long each stays.
pub fn frames(file: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(file).unwrap();
    let width = usize::from(decoder.width());
    let mut screen = vec![0; width * usize::from(decoder.height())];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (y, row) in frame.buffer.chunks_exact(usize::from(frame.width)).enumerate() {
            let start = (usize::from(frame.top) + y) * width + usize::from(frame.left);
            for (place, pixel) in screen[start..].iter_mut().zip(row) {
                if frame.transparent != Some(*pixel) {
                    *place = *pixel;
                }
            }
        }
        shown.push((screen.clone(), frame.delay));
    }
    shown
}
