/** An SVG as pixels. */

const SHARP = 2;
const LONGEST = 8192; // what every browser's canvas can hold
const MOST = 32 * 1024 * 1024;

/** @param {string} svg self-contained, with width and height @returns {Promise<Blob>} a PNG */
export async function pixels(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(
      SHARP,
      LONGEST / Math.max(width, height),
      Math.sqrt(MOST / (width * height)),
    );
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("no picture"))),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
