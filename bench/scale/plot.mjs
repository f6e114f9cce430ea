// A plot of milliseconds against memories, both by powers of ten, as an SVG without scripts or fonts of its own.

const [width, height] = [760, 440];
const area = { left: 64, right: 600, top: 24, bottom: 388 };

/**
 * @param {{name: string, colour: string, dash?: string, points: [number, number][]}[]} lines
 * @param {{x: [number, number], y: [number, number]}} range both ends powers of ten
 */
export function plot(lines, range) {
  const x = (value) => along(value, range.x, area.left, area.right);
  const y = (value) => along(value, range.y, area.bottom, area.top);
  const grid = [
    ...powers(range.x).map((value) => {
      const at = x(value);
      return `<path d="M${at} ${area.top}V${area.bottom}" class="grid"/><text x="${at}" y="${area.bottom + 18}" text-anchor="middle">${value.toLocaleString('en')}</text>`;
    }),
    ...powers(range.y).map((value) => {
      const at = y(value);
      return `<path d="M${area.left} ${at}H${area.right}" class="grid"/><text x="${area.left - 8}" y="${at + 4}" text-anchor="end">${value}</text>`;
    }),
  ];
  const ends = spread(lines.map(({ points }) => y(points.at(-1)[1])));
  const drawn = lines.map(({ name, colour, dash = '', points }, at) => {
    const path = points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${x(px)} ${y(py)}`).join('');
    const dots = points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="2.5" fill="${colour}"/>`);
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${dots.join('')}<text x="${area.right + 10}" y="${ends[at] + 4}" fill="${colour}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>Time of a search by the number of memories</title>
<style>.grid{stroke:#ddd}text{fill:#444}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
${grid.join('\n')}
${drawn.join('\n')}
<text x="${(area.left + area.right) / 2}" y="${height - 12}" text-anchor="middle">memories</text>
<text x="14" y="${area.top - 8}">ms a search</text>
</svg>
`;
}

function along(value, [from, until], start, end) {
  const share = Math.log10(value / from) / Math.log10(until / from);
  return Math.round((start + share * (end - start)) * 10) / 10;
}

function powers([from, until]) {
  const all = [];
  for (let value = from; value <= until * 1.001; value *= 10) all.push(Number(value.toPrecision(3)));
  return all;
}

/** The same places, moved so that no two are nearer than a line of text. */
function spread(places) {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  const moved = [...places];
  let last = Number.NEGATIVE_INFINITY;
  for (const { place, at } of order) {
    last = Math.max(place, last + 15);
    moved[at] = last;
  }
  return moved;
}
