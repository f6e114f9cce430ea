// A picture of a page needs few colours: with a palette it takes a third of the bytes. PNG as in https://www.w3.org/TR/png-3/.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const paletteMax = 256;
const frequentMax = 96;

/** The same picture with at most 256 colours. Takes what a browser makes: 8 bits a channel, RGB or RGBA, not interlaced. */
export function smallerPng(png) {
  const { width, height, channels, pixels } = decoded(png);
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = indices.get(colourAt(pixels, (y * width + x) * channels));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(pixels, at) {
  return (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
}

function channelsOf(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

/** The most frequent colours, and of the others those that would be missed most: far from all that is there, or many. */
function paletteOf(counts) {
  const ordered = [...counts].sort(([, a], [, b]) => b - a);
  const palette = ordered.slice(0, frequentMax).map(([colour]) => colour);
  const rest = ordered.slice(frequentMax).map(([colour, count]) => ({
    colour,
    weight: Math.sqrt(count),
    far: distance(colour, palette[nearest(palette, colour)]),
  }));
  while (palette.length < paletteMax && rest.length > 0) {
    const missed = rest.reduce((most, one) => (one.far * one.weight > most.far * most.weight ? one : most));
    palette.push(missed.colour);
    for (const one of rest) one.far = Math.min(one.far, distance(one.colour, missed.colour));
  }
  return palette;
}

function nearest(palette, colour) {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, one] of palette.entries()) {
    const far = distance(one, colour);
    if (far < least) {
      least = far;
      best = index;
    }
  }
  return best;
}

function distance(a, b) {
  return (
    ((a >> 16) - (b >> 16)) ** 2 +
    (((a >> 8) & 0xff) - ((b >> 8) & 0xff)) ** 2 +
    ((a & 0xff) - (b & 0xff)) ** 2
  );
}

function decoded(png) {
  const parts = [];
  let header = null;
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const [width, height, bits, colourType] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[8],
    header[9],
  ];
  const channels = { 2: 3, 6: 4 }[colourType];
  if (bits !== 8 || channels === undefined || header[12] !== 0)
    throw new Error('not a PNG as browsers make it');
  return {
    width,
    height,
    channels,
    pixels: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels),
  };
}

/** Takes back what each row's filter has subtracted (section 9 of the specification). */
function unfiltered(data, stride, height, channels) {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : pixels[y * stride + x - channels];
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x];
      const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = data[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
