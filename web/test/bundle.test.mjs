// The npm package in the hands of a program: `import` and `require` in Node, and bundled by esbuild and webpack for Node and
// for a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import webpack from "webpack";
import { launch, newPage, serve } from "./browser.mjs";

const PACKAGE = fileURLToPath(new URL("../dist/npm/", import.meta.url));
/** Programs that use the package, with the package installed beside them. */
const FOLDER = fileURLToPath(new URL("../dist/bundles/", import.meta.url));
const IMPORT = 'import { Engine } from "flipside";\n';
const REQUIRE = 'const { Engine } = require("flipside");\n';
/** Solves a small endgame and shows the best move. */
const USE = (show) => `${show}(new Engine({ game: "tic-tac-toe", hash: 1 }).solve("xx.oo.... x").move);\n`;

before(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(join(FOLDER, "node_modules"), { recursive: true });
  await symlink(PACKAGE, join(FOLDER, "node_modules/flipside"), "dir");
  await writeFile(join(FOLDER, "node.mjs"), IMPORT + USE("console.log"));
  await writeFile(join(FOLDER, "node.cjs"), REQUIRE + USE("console.log"));
  await writeFile(join(FOLDER, "page.mjs"), IMPORT + USE("document.title = "));
});

let browser;
after(() => browser?.close());

const run = (file) => execFileSync(process.execPath, [file], { cwd: FOLDER, encoding: "utf8" }).trim();

/** What a bundle in a folder of its own shows in a browser. */
async function show(folder, script) {
  await writeFile(join(folder, "index.html"), `<!doctype html><title></title>${script}`);
  const server = await serve(folder);
  try {
    browser ??= await launch();
    const page = await newPage(browser);
    await page.goto(server.address);
    await page.waitForFunction(() => document.title !== "");
    return await page.title();
  } finally {
    server.close();
  }
}

test("import and require work in Node", () => {
  assert.equal(run("node.mjs"), "c1");
  assert.equal(run("node.cjs"), "c1");
});

test("esbuild bundles it, with the module copied beside the bundle", async () => {
  const bundle = async (entry, folder, options) => {
    const outfile = join(FOLDER, folder, options.format === "cjs" ? "bundle.cjs" : "bundle.mjs");
    await esbuild.build({ entryPoints: [join(FOLDER, entry)], bundle: true, outfile, logLevel: "warning", ...options });
    await copyFile(join(PACKAGE, "flipside.wasm"), join(FOLDER, folder, "flipside.wasm"));
    return outfile;
  };
  assert.equal(run(await bundle("node.mjs", "esbuild-import", { format: "esm", platform: "node" })), "c1");
  assert.equal(run(await bundle("node.cjs", "esbuild-require", { format: "cjs", platform: "node" })), "c1");
  await bundle("page.mjs", "esbuild-page", { format: "esm" });
  assert.equal(await show(join(FOLDER, "esbuild-page"), '<script type="module" src="bundle.mjs"></script>'), "c1");
});

test("webpack bundles it, the module included", async () => {
  const bundle = async (entry, folder, target) => {
    const output = { path: join(FOLDER, folder), filename: "bundle.cjs" };
    const compiler = webpack({ mode: "production", context: FOLDER, entry: `./${entry}`, target, output });
    const stats = await new Promise((resolve, reject) => compiler.run((error, stats) => (error ? reject(error) : resolve(stats))));
    assert.deepEqual(stats.toJson({ errors: true, warnings: false }).errors, []);
    return output;
  };
  const { path, filename } = await bundle("node.mjs", "webpack-import", "node18");
  assert.equal(run(join(path, filename)), "c1");
  const page = await bundle("page.mjs", "webpack-page", "web");
  assert.equal(await show(page.path, `<script src="${page.filename}"></script>`), "c1");
});
