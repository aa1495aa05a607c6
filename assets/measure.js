// "Measure this device": the book's and the plain kernel in WebGPU, from a storage and from a
// uniform buffer, in the browser that shows the page. Nothing is sent anywhere.
{
  // Cases share one chance in a hundred of a wrong word, as many as the study has (topics/where.c).
  const plan = {counts: [20, 100, 500, 1000, 2000], wholeMs: 10000}, kernels = ["book's kernel", "plain loop"];
  const level = 1 - 0.01 / 28, pairsLeast = 14, batchMs = 20, sphereBytes = 32, band = 1.01;
  const round = Math.fround, median = list => {
    const sorted = [...list].sort((a, b) => a - b), half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };

  // The spheres of the book's scene, 8 floats each: r, g, b, nothing, x, y, z, radius. PCG32 with
  // seed 1 and stream 54, as kernels/core/trace/scene.c.
  const makeSpheres = count => {
    const mask = (1n << 64n) - 1n, floats = new Float32Array(8 * count);
    let state = 0n;
    const next = () => {
      const old = state;
      state = old * 6364136223846793005n + 109n & mask;
      const shifted = Number((old >> 18n ^ old) >> 27n & 0xffffffffn), by = Number(old >> 59n);
      return (shifted >>> by | shifted << (32 - by & 31)) >>> 0;
    };
    const uniform = top => round((next() >>> 8) * 2 ** -24 * top);
    next();
    state = state + 1n & mask;
    next();
    for (let s = 0; s < count; s++) {
      const [r, g, b] = [uniform(1), uniform(1), uniform(1)];
      const [x, y, z] = [0, 1, 2].map(() => round(uniform(1000) - 500));
      floats.set([r, g, b, 0, x, y, z, round(uniform(100) + 20)], 8 * s);
    }
    return floats;
  };

  // Every step-th row of the picture in the arithmetic of kernels/core/trace/pixel.h: a product of
  // floats is exact in double, and its sum is rounded to float once more.
  const render = (floats, count, side, step) => {
    const pixels = new Uint32Array(side * side), unit = round(1024 / side), half = side >> 1;
    for (let j = 0; j < side; j += step)
      for (let i = 0; i < side; i++) {
        const x = round((i - half) * unit), y = round((j - half) * unit);
        let deepest = -Infinity, pixel = 0xff000000;
        for (let s = 0; s < 8 * count; s += 8) {
          const dx = round(x - floats[s + 4]), dy = round(y - floats[s + 5]), radius = floats[s + 7];
          const square = round(round(round(radius * radius) - dy * dy) - dx * dx);
          const chord = square > 0 ? round(Math.sqrt(square)) : 0, depth = round(chord + floats[s + 6]);
          if (square > 0 && depth > deepest) {
            const shade = round(chord / radius), byte = colour => round(round(colour * shade) * 255) & 255;
            deepest = depth;
            pixel = (0xff000000 | byte(floats[s + 2]) << 16 | byte(floats[s + 1]) << 8 | byte(floats[s])) >>> 0;
          }
        }
        pixels[j * side + i] = pixel;
      }
    return pixels;
  };

  // How many pixels of every step-th row differ, and how many by more than the last bit of a byte.
  const compare = (a, b, side, step) => {
    const found = {of: 0, differ: 0, wrong: 0};
    for (let j = 0; j < side; j += step)
      for (let at = j * side; at < (j + 1) * side; at++) {
        found.of++;
        found.differ += a[at] !== b[at];
        found.wrong += [0, 8, 16, 24].some(by => Math.abs((a[at] >> by & 255) - (b[at] >> by & 255)) > 1);
      }
    return found;
  };

  // The ratio of storage over uniform times, pair by pair: median and interval of order statistics
  // on its logarithm, as krn_interval_order; half a step of the clock per side widens it.
  const judge = (pairs, tick) => {
    const logs = pairs.map(([a, b]) => Math.log(a / b)).sort((a, b) => a - b), n = logs.length;
    let rank = 0, below = 0;
    for (let term = 2 ** -n; rank < n / 2 && 2 * (below + term) <= 1 - level; term *= (n - rank) / ++rank)
      below += term;
    const wide = tick / 2 * (1 / median(pairs.map(pair => pair[0])) + 1 / median(pairs.map(pair => pair[1])));
    const low = rank ? Math.exp(logs[rank - 1] - wide) : 0, high = rank ? Math.exp(logs[n - rank] + wide) : Infinity;
    return {ratio: Math.exp(median(logs)), low, high,
      word: low > band ? "uniform faster" : high < 1 / band ? "storage faster"
        : low >= 1 / band && high <= band ? "the same" : "not decided"};
  };

  const shader = (kernel, memory, most) => `
    struct sphere { colour: vec4f, place: vec4f }
    struct image { side: i32, count: i32, unit: f32, unused: f32 }
    @group(0) @binding(0) var<${["storage, read", "uniform"][memory]}> spheres: array<sphere, ${most}>;
    @group(0) @binding(1) var<uniform> frame: image;
    @group(0) @binding(2) var<storage, read_write> pixels: array<u32>;
    @compute @workgroup_size(16, 16) fn trace(@builtin(global_invocation_id) id: vec3u) {
      let at = vec2i(id.xy);
      let x = f32(at.x - frame.side / 2) * frame.unit;
      let y = f32(at.y - frame.side / 2) * frame.unit;
      var red = 0.0; var green = 0.0; var blue = 0.0; var deepest = -2e10;
      for (var n = 0; n < frame.count; n++) {
        let dx = x - spheres[n].place.x; let dy = y - spheres[n].place.y; let radius = spheres[n].place.w;
        let square = fma(-dx, dx, fma(-dy, dy, radius * radius));
        ${["var depth = -2e10; var shade = 0.0; if (square > 0.0) { shade = sqrt(square) / radius; " +
             "depth = sqrt(square) + spheres[n].place.z; }",
           "if (square <= 0.0) { continue; } let shade = sqrt(square) / radius; " +
             "let depth = sqrt(square) + spheres[n].place.z;"][kernel]}
        if (depth > deepest) {
          red = spheres[n].colour.r * shade; green = spheres[n].colour.g * shade; blue = spheres[n].colour.b * shade;
          deepest = depth;
        }
      }
      pixels[at.y * frame.side + at.x] =
        0xff000000u | (u32(blue * 255.0) << 16) | (u32(green * 255.0) << 8) | u32(red * 255.0);
    }`;

  // The clock's least step, ms.
  const findTick = () => {
    let tick = Infinity, last = performance.now();
    for (let steps = 0; steps < 20;) {
      const now = performance.now();
      if (now > last) {
        tick = Math.min(tick, now - last);
        last = now;
        steps++;
      }
    }
    return tick;
  };

  // The device with its four kernels; throws a sentence where there is none.
  const open = async () => {
    if (!isSecureContext)
      throw "WebGPU works in secure pages only: open this file from the disk, or from an https address.";
    if (!navigator.gpu)
      throw "This browser has no WebGPU: use Chrome or Edge from 121, Safari from 26, or Firefox from 141.";
    const adapter = await navigator.gpu.requestAdapter({powerPreference: "high-performance"});
    if (!adapter)
      throw "WebGPU finds no GPU here: switch on hardware acceleration in the browser's settings, " +
        "or use another browser.";
    const device = await adapter.requestDevice(), info = adapter.info ?? {};
    const most = Math.min(2000, Math.floor(device.limits.maxUniformBufferBindingSize / sphereBytes));
    const parts = [info.vendor, info.architecture].filter(Boolean).join(" ");
    const name = info.description || info.device || parts || "this device";
    const processor = info.isFallbackAdapter || adapter.isFallbackAdapter ||
      /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(`${name} ${parts} ${info.device}`);
    const gpu = {device, most, name, processor, lost: ""};
    device.lost.then(why => (gpu.lost = why.message || "the GPU is gone"));
    device.addEventListener("uncapturederror", event => (gpu.lost = event.error.message));
    const {STORAGE, UNIFORM, COPY_DST, COPY_SRC} = GPUBufferUsage;
    const buffer = (size, usage) => device.createBuffer({size, usage: usage | COPY_DST | COPY_SRC});
    gpu.memories = [STORAGE, UNIFORM].map(usage => buffer(most * sphereBytes, usage));
    gpu.image = buffer(16, UNIFORM);
    gpu.pixels = buffer(4 << 20, STORAGE);
    for (const memory of gpu.memories)
      device.queue.writeBuffer(memory, 0, makeSpheres(most));
    gpu.passes = await Promise.all(kernels.map((_, kernel) => Promise.all(gpu.memories.map(async (memory, m) => {
      const module = device.createShaderModule({code: shader(kernel, m, most)});
      const pipeline = await device.createComputePipelineAsync({layout: "auto", compute: {module, entryPoint: "trace"}});
      const group = device.createBindGroup({layout: pipeline.getBindGroupLayout(0), entries:
        [memory, gpu.image, gpu.pixels].map((buffer, binding) => ({binding, resource: {buffer}}))});
      return {pipeline, group};
    }))));
    return gpu;
  };

  const prepare = (gpu, side, count) => {
    const view = new DataView(new ArrayBuffer(16));
    view.setInt32(0, side, true);
    view.setInt32(4, count, true);
    view.setFloat32(8, 1024 / side, true);
    gpu.side = side;
    gpu.device.queue.writeBuffer(gpu.image, 0, view.buffer);
  };

  // Milliseconds of a batch of frames, with the way to the GPU and back. A batch that a tab in the
  // background saw waits for the foreground and runs again.
  const batch = async (gpu, {pipeline, group}, frames) => {
    for (;;) {
      while (document.hidden)
        await new Promise(go => document.addEventListener("visibilitychange", go, {once: true}));
      let hidden = false;
      const hide = () => (hidden = true);
      document.addEventListener("visibilitychange", hide);
      const encoder = gpu.device.createCommandEncoder(), pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let i = 0; i < frames; i++)
        pass.dispatchWorkgroups(gpu.side / 16, gpu.side / 16);
      pass.end();
      const commands = encoder.finish(), began = performance.now();
      gpu.device.queue.submit([commands]);
      await gpu.device.queue.onSubmittedWorkDone();
      const ms = performance.now() - began;
      document.removeEventListener("visibilitychange", hide);
      if (gpu.lost)
        throw `The measurement broke off: ${gpu.lost}.`;
      if (!hidden)
        return ms;
    }
  };

  const picture = async (gpu, pass) => {
    const bytes = 4 * gpu.side ** 2, usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const copy = gpu.device.createBuffer({size: bytes, usage}), encoder = gpu.device.createCommandEncoder();
    encoder.clearBuffer(gpu.pixels);
    gpu.device.queue.submit([encoder.finish()]);
    await batch(gpu, pass, 1);
    const copying = gpu.device.createCommandEncoder();
    copying.copyBufferToBuffer(gpu.pixels, 0, copy, 0, bytes);
    gpu.device.queue.submit([copying.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const pixels = new Uint32Array(copy.getMappedRange().slice(0));
    copy.destroy();
    return pixels;
  };

  // One kernel with one number of spheres: pictures, then pairs of batches in turns.
  const measureCase = async (gpu, passes, ends) => {
    const one = {pairs: [], frames: 1}, both = [];
    const pictures = [await picture(gpu, passes[0]), await picture(gpu, passes[1])];
    one.equal = compare(...pictures, gpu.side, 1).differ === 0;
    one.pixels = pictures[0];
    while (one.pairs.length < pairsLeast) {
      const first = one.pairs.length % 2;
      both[first] = await batch(gpu, passes[first], one.frames);
      both[1 - first] = await batch(gpu, passes[1 - first], one.frames);
      const least = Math.max(0.1, Math.min(...both)), left = pairsLeast - one.pairs.length;
      if (performance.now() + left * (both[0] + both[1]) > ends)
        return null;
      if (least >= batchMs)
        one.pairs.push([...both]);
      else
        [one.frames, one.pairs] = [Math.ceil(one.frames * Math.min(8, Math.max(1.2, 1.15 * batchMs / least))), []];
    }
    return one;
  };

  const measure = async progress => {
    const tick = findTick(), gpu = await open(), began = performance.now();
    const result = {name: gpu.name, processor: gpu.processor, tick, cases: [], left: []};
    prepare(gpu, 64, 20);
    const empty = [], frame = async () => (await batch(gpu, gpu.passes[0][0], 4) - median(empty)) / 4;
    await batch(gpu, gpu.passes[0][0], 1);
    for (let i = 0; i < 9; i++)
      empty.push(await batch(gpu, gpu.passes[0][0], 0));
    result.empty = median(empty);
    // The largest picture of which 2000 spheres take about a batch.
    while (gpu.side < 1024 && await frame() < (gpu.side < 256 ? 1 : 0.06))
      prepare(gpu, 2 * gpu.side, 20);
    result.side = gpu.side;
    const floats = makeSpheres(gpu.most), perSphere = [0, 0]; // ms of both sides, by kernel
    for (const [c, count] of plan.counts.entries())
      for (const [k, kernel] of kernels.entries()) {
        progress((c * kernels.length + k) / (plan.counts.length * kernels.length));
        const here = {count, kernel}, step = Math.ceil(count / 20);
        if (count > gpu.most) {
          result.left.push(`${kernel}, ${count} spheres: they take ${count * sphereBytes} bytes, ` +
            `and a uniform buffer here has ${gpu.most * sphereBytes}`);
          continue;
        }
        prepare(gpu, result.side, count);
        const ends = began + plan.wholeMs, soon = performance.now() + pairsLeast * perSphere[k] * count < ends;
        const one = soon && await measureCase(gpu, gpu.passes[k], ends);
        if (!one) {
          perSphere[k] = Infinity;
          result.left.push(`${kernel}, ${count} spheres: more than the ten seconds`);
          continue;
        }
        result.shown ??= one.pixels;
        const off = compare(one.pixels, render(floats, count, result.side, step), result.side, step);
        const right = one.equal && off.wrong <= 0.02 * off.of;
        perSphere[k] = one.pairs[0][0] / one.frames / count + one.pairs[0][1] / one.frames / count;
        result.cases.push({...here, ...judge(one.pairs, tick), off, pairs: one.pairs, frames: one.frames, right,
          ms: [0, 1].map(m => median(one.pairs.map(pair => pair[m])) / one.frames),
          ...right ? {} : {word: one.equal ? "WRONG picture" : "the memories' pictures differ"}});
      }
    gpu.device.destroy();
    return result;
  };

  const said = one => `${one.ratio.toFixed(2)}×\u00a0[${one.low.toFixed(2)},\u00a0${one.high.toFixed(2)}]`;
  const time = ms => ms < 1 ? `${Number((1000 * ms).toPrecision(3))}\u00a0µs` : `${Number(ms.toPrecision(3))}\u00a0ms`;
  const words = {"uniform faster": "faster", "storage faster": "slower", "the same": "same", "not decided": "undecided"};
  const tally = cases => Object.entries(words).map(([word, short]) => [cases.filter(one => one.word === word).length, short])
    .filter(([count]) => count).map(pair => pair.join(" ")).join(", ");

  // The result as text: the listener's to copy.
  const textOf = result => [
    `Spherescope, WebGPU on ${result.name}${result.processor ? ", drawn by a processor, not by a GPU" : ""}`,
    "storage / uniform time; above 1 the uniform buffer, WebGPU's constant memory, is faster",
    ...result.cases.map(one => `${one.kernel}, ${one.count} spheres: ${one.right ? `${said(one)} ` : ""}${one.word}; ` +
      `${time(one.ms[0])} / ${time(one.ms[1])}; ${one.off.differ} of ${one.off.of} pixels differ`),
    ...result.left.map(text => `left out: ${text}`),
    `${result.side}x${result.side} pixels, ${pairsLeast} pairs of batches of at least ${batchMs} ms, ` +
      `99 % sure of all at once, clock's step ${time(result.tick)}, ` +
      `way to the device and back ${time(result.empty)} per batch`].join("\n");

  const make = (name, text = "", within = null) => {
    const one = document.createElement(name);
    one.textContent = text;
    within?.append(one);
    return one;
  };

  // The page's chart of where constant memory wins, as app/topics/chart.c draws it, or a new one for
  // this device alone: the ends of its rows, the place of a ratio, and where a row may begin.
  const chartOf = result => {
    const svg = [...document.querySelectorAll("section svg, body > figure svg")].find(one =>
      [...one.querySelectorAll("text")].some(text => text.textContent.startsWith("← global | constant")));
    const place = (left, right, low, high) => ratio =>
      Math.min(right, Math.max(left, left + (right - left) * Math.log(ratio / low) / Math.log(high / low)));
    if (svg) {
      const [left, , right] = svg.querySelector("polyline").getAttribute("points").match(/[\d.]+/g).map(Number);
      const [a, b] = [...svg.querySelectorAll("text")].filter(text => /^[\d.]+×$/.test(text.textContent))
        .map(text => ({x: Number(text.getAttribute("x")), ratio: parseFloat(text.textContent)}));
      const at = x => a.ratio * (b.ratio / a.ratio) ** ((x - a.x) / (b.x - a.x));
      svg.querySelector(".mine")?.remove();
      svg.dataset.top ??= svg.viewBox.baseVal.height;
      return {svg, left, right, top: Number(svg.dataset.top), x: place(left, right, at(left), at(right))};
    }
    const figure = make("figure"), [left, right] = [126, 290], most = Math.log2(Math.max(2,
      ...result.cases.map(one => Math.max(one.ratio, 1 / one.ratio)))), end = 2 ** Math.ceil(most);
    const x = place(left, right, 1 / end, end), quiet = "font-size='15' fill='var(--quiet)'";
    figure.innerHTML = `<svg>${[1 / end, 1, end].map(ratio =>
      `<text x='${x(ratio)}' y='42' ${quiet} text-anchor='middle'>${Number(ratio.toPrecision(3))}×</text>`).join("")}
      <text x='${right}' y='18' ${quiet} text-anchor='end'>← storage | uniform faster →</text>
      <text x='${right + 30}' y='42' ${quiet}>↓ 20 to 2000 spheres</text></svg>`;
    return {svg: figure.firstChild, left, right, top: 44, x};
  };

  // Adds this device's rows below the chart's, as app/topics/where.c draws them: a dot per number of
  // spheres, the least at the top, in the colour of the faster memory, hollow where that is not decided.
  const addRows = (result, {svg, left, right, top, x}) => {
    let y = top - 20, markup = "";
    const colours = {"uniform faster": "constant", "storage faster": "global"};
    const text = (at, line, anchor, words) => `<text x='${at.toFixed(1)}' y='${line}' font-size='15' ` +
      `text-anchor='${anchor}' fill='var(--text)'>${words}</text>`;
    for (const kernel of kernels) {
      const cases = result.cases.filter(one => one.right && one.kernel === kernel);
      if (!cases.length)
        continue;
      y += 60;
      markup += `<path stroke='var(--faint)' d='M${left} ${y}H${right}'/>` +
        text(left - 7, y + 5, "end", `WebGPU, ${kernel.split(" ")[0]}`) + text(right + 10, y + 5, "start", tally(cases));
      cases.forEach((one, i) => {
        const ink = `var(--${colours[one.word] ?? "quiet"})`, at = y + 10 * (i - (cases.length - 1) / 2);
        markup += `<path stroke='${ink}' stroke-width='2' d='M${x(one.low).toFixed(1)} ${at}H${x(one.high).toFixed(1)}'/>` +
          `<circle cx='${x(one.ratio).toFixed(1)}' cy='${at}' r='4' stroke='${ink}' stroke-width='2' ` +
          `fill='${one.word in colours ? ink : "var(--page)"}'/>`;
      });
    }
    svg.insertAdjacentHTML("beforeend", `<g class='mine'><path stroke='var(--faint)' ` +
      `d='M${x(1).toFixed(1)} ${top + 4}V${y + 30}'/>${markup}${text(240, y + 50, "middle", "")}</g>`);
    svg.querySelector(".mine").lastChild.textContent = `WebGPU on ${result.name}${result.processor ? ", a processor" : ""}`;
    svg.setAttribute("viewBox", `0 0 480 ${y + 60}`);
    return svg;
  };

  const show = (box, result) => {
    const canvas = make("canvas", "", box), side = result.side;
    canvas.width = canvas.height = side;
    const bytes = new Uint8ClampedArray((result.shown ?? new Uint32Array(side * side)).buffer);
    canvas.getContext("2d").putImageData(new ImageData(bytes, side, side), 0, 0);
    const right = result.cases.filter(one => one.right);
    const sum = member => result.cases.reduce((all, one) => all + one.off[member], 0);
    make("p", `WebGPU on ${result.name}: ` + (right.length ? `constant memory (a uniform buffer) over a storage buffer, ` +
      `${right.length} cases: ${tally(right)}.` : "no case was measured."), box);
    if (result.processor)
      make("p", "A processor drew this, not a GPU: the ratios tell of its compiler, not of memories.", box);
    if (right.length)
      make("figure", "", box).append(addRows(result, chartOf(result)).cloneNode(true));
    if (result.cases.length) {
      make("p", `${sum("differ")} of ${sum("of")} pixels differ from this program's picture.`, box);
      const table = make("table", "", box), head = table.createTHead().insertRow(), body = table.createTBody();
      for (const title of ["spheres", "storage / uniform", "times"])
        make("th", title, head);
      for (const one of result.cases) {
        const row = body.insertRow(), word = one.right ? `${said(one)} ${one.word}` : one.word;
        for (const text of [`${one.count}, ${one.kernel}`, word, one.ms.map(time).join("\u00a0/ ")])
          row.insertCell().textContent = text;
      }
    }
    const copy = make("button", "Copy the result", box), details = make("details", "", box);
    make("summary", "The result as text", details);
    const text = make("pre", textOf(result), details);
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
      } catch {
        details.open = true;
        getSelection().selectAllChildren(text);
        document.execCommand("copy");
      }
      copy.textContent = "Copied";
    });
  };

  const box = make("div"), button = make("button", "Measure this device", box);
  make("p", "The same spheres on your GPU, in ten seconds; nothing is sent anywhere.", box).className = "note";
  const results = make("div", "", box);
  box.id = "measure";
  box.measured = {plan, makeSpheres, render, judge};
  button.addEventListener("click", async () => {
    const bar = make("progress");
    button.disabled = true;
    results.replaceChildren(bar);
    try {
      const result = await measure(share => (bar.value = share));
      results.replaceChildren();
      show(results, result);
      box.measured.result = result;
    } catch (why) {
      results.replaceChildren(make("p", typeof why === "string" ? why : `The measurement broke off: ${why.message}.`));
    }
    box.dataset.state = "done";
    button.disabled = false;
  });
  (document.querySelector(".headline") ?? document.querySelector("h1")).after(box);
}
