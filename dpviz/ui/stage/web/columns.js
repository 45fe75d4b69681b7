// @ts-check
// A scene as it comes from the server: a length, a header of JSON, and columns of 32-bit numbers behind it.
// The writer is dpviz/ui/stage/wire.py; both state the same form.

/**
 * @param {Uint8Array} bytes
 * @returns {any} a Scene or News (types.d.ts): what `kind` says
 */
export function decoded(bytes) {
  const whole = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const size = new DataView(whole.buffer, whole.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + size)));
  const start = whole.byteOffset + 4 + size;
  header.column = ([offset, length]) => new Float32Array(whole.buffer, start + 4 * offset, length);
  return header;
}
