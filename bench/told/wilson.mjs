/** Wilson's score interval (Wilson 1927) for `right` of `all`, at 95 %. */
export function wilson(right, all) {
  const z = 1.959964;
  const share = right / all;
  const middle = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const scale = 1 + (z * z) / all;
  return [(middle - spread) / scale, (middle + spread) / scale];
}
