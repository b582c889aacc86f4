//! The connection to a server: a thread reads its bytes, lines are sent in one piece.

use super::event::Event;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// How long a server may take to accept a connection, or a line.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection; closed when it is dropped.
pub struct Link(TcpStream);

impl Link {
    /// Connects to the first address of the host that answers. What the server sends arrives as events of this number.
    ///
    /// # Errors
    /// The host is unknown, or none of its addresses answers in time.
    pub fn open(host: &str, port: u16, number: u64, events: &Sender<Event>) -> io::Result<Link> {
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return Link::new(stream, number, events.clone()),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn new(stream: TcpStream, number: u64, events: Sender<Event>) -> io::Result<Link> {
        // Moves are single short lines, which must not wait for more to send.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut input = stream.try_clone()?;
        thread::Builder::new().name("server".into()).spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let event = match input.read(&mut buffer) {
                    Ok(0) => Event::Closed(number, "the server closed it".into()),
                    Ok(length) => Event::Bytes(number, buffer[..length].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Event::Closed(number, error.to_string()),
                };
                let is_last = matches!(event, Event::Closed(..));
                if events.send(event).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Link(stream))
    }

    /// Sends a line with its end in one piece: some servers reject a login that comes in two.
    ///
    /// # Errors
    /// The connection is broken, or the server takes nothing.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // A connection that is broken already cannot be shut down.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}
