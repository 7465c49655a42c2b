import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { openSource } from "./source";

render(<App source={openSource()} />, document.getElementById("app")!);
