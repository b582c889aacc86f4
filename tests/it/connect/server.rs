//! The connection of a fake server: lines torn into small packets, and a client that must answer in time.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// How long a fake server waits for a line.
const PATIENCE: Duration = Duration::from_secs(60);

/// One connection.
pub struct Conn {
    input: BufReader<TcpStream>,
    output: TcpStream,
    /// The bytes of each packet; 0 sends all at once.
    packet: usize,
}

impl Conn {
    /// The next connection of a listener, which tears what it sends into packets of this many bytes.
    pub fn accept(listener: &TcpListener, packet: usize) -> Conn {
        let (output, _) = listener.accept().expect("a connection");
        output.set_nodelay(true).expect("no delay");
        output.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        Conn { input: BufReader::new(output.try_clone().expect("a clone")), output, packet }
    }

    /// Sends a text as it is.
    pub fn send(&mut self, text: &str) {
        let size = if self.packet == 0 { text.len().max(1) } else { self.packet };
        for packet in text.as_bytes().chunks(size) {
            // A client may be gone already.
            let _ = self.output.write_all(packet);
            if self.packet > 0 {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// The next line; `None` at the end of the connection.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end().to_string()),
        }
    }

    /// The next line that begins like this; those before it are answered by `meanwhile`.
    pub fn until(&mut self, start: &str, meanwhile: &str) -> String {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("the client left before '{start}'"));
            if line.starts_with(start) {
                return line;
            }
            self.send(meanwhile);
        }
    }
}

/// A listener on a free port, and the port.
pub fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    (listener, port)
}
